#include "rewrite/modular.h"

#include <deque>
#include <limits>
#include <memory>

#include "rewrite/derivation.h"

namespace nrs::rewrite {
namespace {

// Those of a round that still run: the modules are not asked about the others again.
template <class Kind>
using Running = std::vector<Kind*>;

// One call for the fragments, drafts or questions of all.
void select_all(const Selector& selector, const Running<Derivation>& running) {
  std::vector<Fragment> fragments;
  for (const Derivation* one : running) {
    fragments.insert(fragments.end(), one->fragments().begin(), one->fragments().end());
  }
  const std::vector<std::vector<SelectedLeaf>> leaves = selector.select(fragments);
  std::span<const std::vector<SelectedLeaf>> rest = leaves;
  for (Derivation* one : running) {
    const std::size_t count = one->fragments().size();
    one->selected(rest.first(count));
    rest = rest.subspan(count);
  }
}

void write_all(const LeafWriter& writer, const Running<LeafDerivation>& running) {
  std::vector<LeafWriter::Draft*> drafts;
  for (const LeafDerivation* one : running) drafts.push_back(one->draft());
  auto candidates = writer.write(drafts);
  for (std::size_t i = 0; i < running.size(); ++i) running[i]->written(std::move(candidates[i]));
}

template <class Kind>
void solve_all(const Solver& solver, const Running<Kind>& running) {
  std::vector<std::string_view> questions;
  for (const Kind* one : running) {
    questions.insert(questions.end(), one->questions().begin(), one->questions().end());
  }
  const std::vector<Solution> solutions = solver.solve(questions);
  std::span<const Solution> rest = solutions;
  for (Kind* one : running) {
    const std::size_t count = one->questions().size();
    one->solved(rest.first(count));
    rest = rest.subspan(count);
  }
}

// Round by round: the question of where leaves are, then that to the Solver.
template <class Kind, class Find>
std::vector<Result> run_rounds(std::deque<Kind> all, const Find& find, const Solver& solver) {
  Running<Kind> running;
  for (Kind& one : all) running.push_back(&one);
  const auto any = [&] {
    std::erase_if(running, [](const Kind* one) { return !one->running(); });
    return !running.empty();
  };
  while (any()) {
    find(running);
    if (any()) solve_all(solver, running);
  }
  std::vector<Result> results;
  for (Kind& one : all) results.push_back(std::move(one).finish());
  return results;
}

}  // namespace

std::vector<Result> ModularRewriter::run_with(const Selector& selector, Formulas formulas,
                                              const RunOptions& options) const {
  RunOptions same = calibrated(options);
  if (wanted() == Leaves::kLast) same.leaves = Leaves::kLast;
  return FastNrs(selector, solver_).run(formulas, same);
}

RunOptions ModularRewriter::calibrated(const RunOptions& options) const {
  RunOptions all = options;
  if (!all.min_log_prob) all.min_log_prob = threshold_;
  return all;
}

std::vector<Result> FastNrs::run_with(const Solver& solver, Formulas formulas,
                                      const RunOptions& options) const {
  std::deque<Derivation> all;
  for (const std::string_view formula : formulas) {
    all.emplace_back(formula, calibrated(options), selector_.reach(), habits_);
  }
  const auto select = [&](const auto& running) { select_all(selector_, running); };
  std::vector<Result> results = run_rounds(std::move(all), select, solver);
  for (Result& result : results) {
    if (result.stop == Stop::kNoLeaf && selector_.is_final(result.formula)) {
      result.stop = Stop::kFinal;
    }
  }
  return results;
}

std::vector<ModularRewriter::Found> FastNrs::find(Formulas formulas) const {
  std::vector<Fragment> fragments;
  for (const std::string_view formula : formulas) fragments.push_back({.text = formula});
  const auto leaves = selector_.select(fragments);
  std::vector<Found> found(formulas.size());
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    for (const SelectedLeaf& leaf : leaves[i]) {
      found[i].leaves.push_back(leaf.span);
      found[i].log_prob += leaf.log_prob;
    }
  }
  return found;
}

std::vector<Result> Nrs::run_with(const Solver& solver, Formulas formulas,
                                  const RunOptions& options) const {
  std::deque<LeafDerivation> all;
  for (const std::string_view formula : formulas) {
    all.emplace_back(writer_.begin(formula), calibrated(options));
  }
  const auto write = [&](const auto& running) { write_all(writer_, running); };
  return run_rounds(std::move(all), write, solver);
}

std::vector<ModularRewriter::Found> Nrs::find(Formulas formulas) const {
  std::vector<std::unique_ptr<LeafWriter::Draft>> owners;
  std::vector<LeafWriter::Draft*> drafts;
  for (const std::string_view formula : formulas) {
    owners.push_back(writer_.begin(formula));
    drafts.push_back(owners.back().get());
  }
  const auto candidates = writer_.write(drafts);
  std::vector<Found> found(formulas.size(), {{}, -std::numeric_limits<double>::infinity()});
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    if (candidates[i].empty()) continue;
    const LeafCandidate& best = candidates[i].front();
    if (best.agreement >= 1) found[i].leaves.push_back(best.place);
    found[i].log_prob = best.log_prob;
  }
  return found;
}

}  // namespace nrs::rewrite
