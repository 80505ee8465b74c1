// The same model through libtorch and through the runtime, one thread each: how much the runtime
// gains. usage: bench_torch MODEL DOMAIN
#include <fmt/format.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "architectures/architecture.h"
#include "base/rng.h"
#include "learn/nets/nets.h"
#include "nn/tensor_names.h"
#include "nrs/domain.h"
#include "nrs/error.h"
#include "runtime/selector.h"
#include "runtime/solver.h"

namespace nrs {
namespace {

// Median of five, in seconds of the processor.
double seconds(const std::function<void()>& work) {
  std::vector<double> taken;
  for (int i = 0; i < 5; ++i) {
    const std::clock_t start = std::clock();
    work();
    taken.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  std::ranges::sort(taken);
  return taken[2];
}

void report(const char* what, double amount, const char* unit, double torch, double ours) {
  fmt::print("{:<10} libtorch {:>9.0f} {}/s, runtime {:>9.0f} {}/s: {:.1f} times\n", what,
             amount / torch, unit, amount / ours, unit, torch / ours);
}

template <class Net>
void set_weights(Net& net, const nn::WeightMap& weights, std::string_view prefix) {
  for (auto& entry : net.named_parameters()) {
    const nn::Weights& from = weights.at(std::string(prefix) + entry.key());
    std::ranges::copy(from.values, entry.value().template data_ptr<float>());
  }
}

void add_row(const std::string& text, const model::Tokenizer& tokenizer, nn::TokenRows& rows) {
  const model::Tokens encoded = tokenizer.encode(text);
  rows.add(encoded.ids);
  rows.add_places(encoded.places);
  rows.seeds.push_back(0);
}

void bench_selector(const model::SelectorModel& model, const std::vector<std::string>& formulas) {
  learn::SelectorNet net(model.config, model.tokens.size(), 1);
  set_weights(net, model.weights, nn::kSelectorPrefix);
  nn::TokenRows rows;
  std::vector<Fragment> fragments;
  for (const std::string& formula : formulas) {
    add_row(formula, model.tokens, rows);
    fragments.push_back({.text = formula});
  }
  const double torch = seconds([&] { net.forward(rows); });
  // Anew each time: it remembers what it has seen.
  const double ours = seconds([&] { runtime::ModelSelector(model).select(fragments); });
  report("Selector", static_cast<double>(rows.packing.tokens()), "characters", torch, ours);
}

void bench_solver(const model::SolverModel& model, const std::vector<std::string>& leaves,
                  int steps) {
  learn::SolverNet net(model.config, {model.input.size(), model.output.size()}, 1);
  set_weights(net, model.weights, nn::kSolverPrefix);
  nn::TokenRows rows;
  for (const std::string& leaf : leaves) add_row(leaf, model.input, rows);
  const std::vector<std::string_view> views(leaves.begin(), leaves.end());
  const runtime::ModelSolver solver(model, {.remembered = 0});
  const double torch = seconds([&] { net.write_greedily(rows, steps); });
  const double ours = seconds([&] { solver.solve(views); });
  report("Solver", static_cast<double>(leaves.size()), "leaves", torch, ours);
}

void bench(const char* path, const Domain& domain) {
  const torch::NoGradGuard no_grad;
  torch::set_num_threads(1);
  const model::Model model = model::load_model(path);
  std::vector<std::string> formulas, leaves;
  std::size_t longest = 0;  // of the values: libtorch need not write more
  Sample sample;
  for (std::uint64_t i = 0; i < 50; ++i) {
    Rng rng(7, i);
    domain.generate({.nesting = 6, .args = 2}, rng, sample);
    formulas.push_back(sample.formula);
    for (const Span span : domain.leaves(sample.formula)) {
      leaves.emplace_back(span.of(sample.formula));
      longest = std::max(longest, domain.value(leaves.back())->size());
    }
  }
  if (model.has("selector")) bench_selector(model::selector_of(model), formulas);
  if (model.has("solver"))
    bench_solver(model::solver_of(model), leaves, static_cast<int>(longest) + 1);
}

}  // namespace
}  // namespace nrs

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw nrs::Error(nrs::ErrorKind::kUsage, "bench_torch MODEL DOMAIN");
    nrs::bench(argv[1], nrs::find_domain(argv[2]));
    return 0;
  } catch (const nrs::Error& error) {
    fmt::print(stderr, "{}\n", error.line());
    return static_cast<int>(error.kind());
  }
}
