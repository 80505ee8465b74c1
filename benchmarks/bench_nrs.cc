// What the NRS costs. usage: bench_nrs MODEL DOMAIN [FORMULAS PER LEVEL]
// Whole derivations with greedy writing and with M samples; and M samples of one step that share
// their prefixes against M that are decoded each by itself. Seconds are those of the processor, of
// one thread: they say more on a machine that is shared.
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "architectures/architecture.h"
#include "base/rng.h"
#include "model/tokenizer.h"
#include "nrs/domain.h"
#include "nrs/error.h"
#include "runtime/leaf_writer.h"

namespace nrs {
namespace {

double seconds_of(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

std::vector<Sample> formulas_of(const Domain& domain, int nesting, int count) {
  std::vector<Sample> made(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < made.size(); ++i) {
    Rng rng(mix(2, static_cast<std::uint64_t>(nesting)), i);
    domain.generate({.nesting = nesting, .args = 2}, rng, made[i]);
  }
  return made;
}

void bench_derivations(const model::Model& model, const Domain& domain, int count) {
  std::vector<Sample> all;
  for (int nesting = 1; nesting <= 6; ++nesting) {
    for (Sample& one : formulas_of(domain, nesting, count)) all.push_back(std::move(one));
  }
  std::vector<std::string_view> formulas;
  for (const Sample& one : all) formulas.push_back(one.formula);
  for (const int samples : {0, 10, 100, 1000}) {
    const architectures::RunningModel running(
        model, {.settings = {{"samples", samples}, {"sample-seed", 1}}});
    std::vector<Result> results;
    const double seconds = seconds_of([&] { results = running.rewriter().run(formulas, {}); });
    std::size_t right = 0, missing = 0, steps = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      right += results[i].ok() && results[i].formula == all[i].value ? 1 : 0;
      missing += results[i].stop == Stop::kMissing ? 1 : 0;
      steps += results[i].steps;
    }
    fmt::print("M = {:>4}: {} formulas, {} right, {} missing, {} steps, {:.2f} s\n", samples,
               all.size(), right, missing, steps, seconds);
  }
}

// The first step of some formulas: M readings of one sample each, or one of M.
void bench_sharing(const model::Model& model, const Domain& domain) {
  const model::SelectorModel selector = model::selector_of(model);
  const runtime::ModelLeafWriter writer(selector, {.retry = 0});
  const runtime::Seq2Seq& network = writer.network();
  runtime::Seq2Seq::Scratch scratch;
  for (const int samples : {10, 100, 1000}) {
    double shared = 0, apart = 0;
    for (const Sample& sample : formulas_of(domain, 4, 20)) {
      const model::Tokens encoded = selector.tokens.encode(sample.formula);
      runtime::TextRows rows = network.no_rows();
      const runtime::Passage passage{.ids = encoded.ids,
                                     .places = encoded.places,
                                     .keep_end = encoded.ids.size(),
                                     .label_seed = 1,
                                     .rows = &rows};
      network.read({&passage, 1}, scratch);
      const std::vector<runtime::Reading> one{{.samples = samples, .seed = 1, .rows = &rows}};
      std::vector<runtime::Reading> many;
      for (int i = 0; i < samples; ++i) {
        many.push_back({.samples = 1, .seed = static_cast<std::uint64_t>(i), .rows = &rows});
      }
      shared += seconds_of([&] { network.write(one, scratch); });
      apart += seconds_of([&] { network.write(many, scratch); });
    }
    fmt::print("M = {:>4}, one step: shared {:.3f} ms, apart {:.3f} ms, ratio {:.1f}\n", samples,
               1e3 * shared / 20, 1e3 * apart / 20, apart / shared);
  }
}

}  // namespace
}  // namespace nrs

int main(int argc, char** argv) {
  try {
    if (argc < 3) throw nrs::Error(nrs::ErrorKind::kUsage, "bench_nrs MODEL DOMAIN [FORMULAS]");
    const nrs::model::Model model = nrs::model::load_model(argv[1]);
    const nrs::Domain& domain = nrs::find_domain(argv[2]);
    nrs::bench_sharing(model, domain);
    nrs::bench_derivations(model, domain, argc > 3 ? std::atoi(argv[3]) : 100);
    return 0;
  } catch (const nrs::Error& error) {
    fmt::print(stderr, "{}\n", error.line());
    return static_cast<int>(error.kind());
  }
}
