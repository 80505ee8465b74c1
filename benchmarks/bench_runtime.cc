// How fast a model runs. usage: bench_runtime MODEL DOMAIN [SECONDS]
// Prints one line per measurement: the median and the spread of repeated runs, and the least time
// that the processor worked, which says more on a machine that is shared.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "architectures/architecture.h"
#include "base/rng.h"
#include "base/status_line.h"
#include "base/threads.h"
#include "nrs/domain.h"
#include "nrs/error.h"
#include "rewrite/modular.h"
#include "runtime/selector.h"
#include "runtime/solver.h"

namespace nrs {
namespace {

using Clock = std::chrono::steady_clock;

struct Timing {
  double median = 0;
  double least = 0;
  double most = 0;
  double processor = 0;
};

// Seconds of one call, over as many calls as fit into `budget`, at least three.
Timing measure(double budget, const std::function<void()>& work) {
  std::vector<double> seconds;
  double spent = 0, processor = 1e9;
  while (seconds.size() < 3 || spent < budget) {
    const auto start = Clock::now();
    const std::clock_t ticks = std::clock();
    work();
    processor = std::min(processor, static_cast<double>(std::clock() - ticks) / CLOCKS_PER_SEC);
    seconds.push_back(seconds_since(start));
    spent += seconds.back();
  }
  std::sort(seconds.begin(), seconds.end());
  return {seconds[seconds.size() / 2], seconds.front(), seconds.back(), processor};
}

void report(const std::string& what, double amount, const char* unit, const Timing& timing) {
  fmt::print("{:<44} {:>12.1f} {}/s   median {:.3f} ms [{:.3f}, {:.3f}], processor {:.3f}\n", what,
             amount / timing.median, unit, 1e3 * timing.median, 1e3 * timing.least,
             1e3 * timing.most, 1e3 * timing.processor);
}

std::vector<Sample> samples(const Domain& domain, int nesting, std::size_t count,
                            std::uint64_t seed) {
  std::vector<Sample> made(count);
  for (std::size_t i = 0; i < count; ++i) {
    Rng rng(mix(seed, static_cast<std::uint64_t>(nesting)), i);
    domain.generate({.nesting = nesting, .args = 2}, rng, made[i]);
  }
  return made;
}

// Right answers of all, on the given number of threads, as `nrs simplify` would.
std::size_t run_all(const model::Model& model, const std::vector<Sample>& all, int threads) {
  const architectures::RunningModel running(model);
  constexpr std::size_t kPiece = 32;
  std::vector<std::size_t> right((all.size() + kPiece - 1) / kPiece);
  parallel_for(right.size(), threads, [&](std::size_t piece) {
    const std::size_t begin = piece * kPiece, end = std::min(all.size(), begin + kPiece);
    std::vector<std::string_view> formulas;
    for (std::size_t i = begin; i < end; ++i) formulas.push_back(all[i].formula);
    const std::vector<Result> results = running.rewriter().run(formulas, {});
    for (std::size_t i = begin; i < end; ++i) {
      right[piece] += results[i - begin].ok() && results[i - begin].formula == all[i].value;
    }
  });
  std::size_t sum = 0;
  for (const std::size_t count : right) sum += count;
  return sum;
}

void bench(const std::string& path, const Domain& domain, double budget) {
  const model::Model model = model::load_model(path);
  report("load the model", 1, "models",
         measure(budget, [&] { architectures::RunningModel::load(path); }));

  std::vector<std::string> leaves;
  domain.for_each_leaf(FormulaSpace::kWhole, [&](std::string_view leaf, std::string_view) {
    if (leaves.size() < 20'000) leaves.emplace_back(leaf);
  });
  const std::vector<std::string_view> views(leaves.begin(), leaves.end());
  const model::SolverModel solver_model = model::solver_of(model);
  const runtime::ModelSolver solver(solver_model, {.remembered = 0});
  const auto some = std::span(views).first(std::min<std::size_t>(2000, views.size()));
  report("Solver, one thread", static_cast<double>(some.size()), "leaves",
         measure(budget, [&] { solver.solve(some); }));
  report("Solver, one leaf alone", 1, "leaves",
         measure(budget, [&] { solver.solve(some.first(1)); }));

  const model::SelectorModel selector_model = model::selector_of(model);
  const runtime::ModelSelector selector(selector_model);
  const std::vector<Sample> deep = samples(domain, 6, 50, 1);
  std::vector<Fragment> fragments;
  double characters = 0;
  for (const Sample& sample : deep) {
    fragments.push_back({.text = sample.formula});
    characters += static_cast<double>(sample.formula.size());
  }
  report("Selector, one thread", characters, "characters",
         measure(budget, [&] { selector.select(fragments); }));

  const architectures::RunningModel running(model);
  std::size_t next = 0;
  report("one formula of nesting 6", 1, "formulas",
         measure(budget, [&] { running.rewriter().rewrite(deep[next++ % deep.size()].formula); }));

  std::vector<Sample> all;
  for (int nesting = 1; nesting <= 6; ++nesting) {
    const std::vector<Sample> level = samples(domain, nesting, 100, 2);
    all.insert(all.end(), level.begin(), level.end());
  }
  for (const int threads : {1, 2}) {
    std::size_t right = 0;
    const Timing timing = measure(budget, [&] { right = run_all(model, all, threads); });
    report(fmt::format("600 formulas, {} thread(s), {} right", threads, right), 600, "formulas",
           timing);
  }
}

}  // namespace
}  // namespace nrs

int main(int argc, char** argv) {
  try {
    if (argc < 3) throw nrs::Error(nrs::ErrorKind::kUsage, "bench_runtime MODEL DOMAIN [SECONDS]");
    nrs::bench(argv[1], nrs::find_domain(argv[2]), argc > 3 ? std::atof(argv[3]) : 1.0);
    return 0;
  } catch (const nrs::Error& error) {
    fmt::print(stderr, "{}\n", error.line());
    return static_cast<int>(error.kind());
  }
}
