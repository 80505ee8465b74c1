#include "rewrite/modular.h"

#include <limits>
#include <memory>

#include "rewrite/derivation.h"
#include "rewrite/leaf_derivation.h"

namespace nrs::rewrite {
namespace {

// Derivations that still run. Those that have ended are taken out, so that the modules are not
// asked about them again.
template <class Kind>
class Running {
 public:
  explicit Running(std::size_t count) : results_(count) {}

  void add(std::unique_ptr<Kind> derivation) {
    indexes_.push_back(running_.size());
    running_.push_back(std::move(derivation));
  }
  bool any() const { return !running_.empty(); }
  auto begin() const { return running_.begin(); }
  auto end() const { return running_.end(); }

  void collect() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < running_.size(); ++i) {
      if (running_[i]->running()) {
        running_[kept] = std::move(running_[i]);
        indexes_[kept++] = indexes_[i];
      } else {
        results_[indexes_[i]] = std::move(*running_[i]).finish();
        running_[i].reset();
      }
    }
    running_.resize(kept);
  }
  std::vector<Result> results() && { return std::move(results_); }

 private:
  std::vector<std::unique_ptr<Kind>> running_;
  std::vector<std::size_t> indexes_;
  std::vector<Result> results_;
};

using Derivations = Running<Derivation>;
using LeafDerivations = Running<LeafDerivation>;

// One call for the fragments of all formulas that still run.
void select_all(const Selector& selector, const Derivations& running) {
  std::vector<Fragment> fragments;
  for (const auto& derivation : running) {
    fragments.insert(fragments.end(), derivation->fragments().begin(),
                     derivation->fragments().end());
  }
  const std::vector<std::vector<SelectedLeaf>> leaves = selector.select(fragments);
  std::span<const std::vector<SelectedLeaf>> rest = leaves;
  for (const auto& derivation : running) {
    const std::size_t count = derivation->fragments().size();
    derivation->selected(rest.first(count));
    rest = rest.subspan(count);
  }
}

void solve_all(const Solver& solver, const Derivations& running) {
  std::vector<std::string_view> questions;
  for (const auto& derivation : running) {
    questions.insert(questions.end(), derivation->questions().begin(),
                     derivation->questions().end());
  }
  const std::vector<Solution> solutions = solver.solve(questions);
  std::span<const Solution> rest = solutions;
  for (const auto& derivation : running) {
    const std::size_t count = derivation->questions().size();
    derivation->solved(rest.first(count));
    rest = rest.subspan(count);
  }
}

void write_all(const LeafWriter& writer, const LeafDerivations& running) {
  std::vector<LeafWriter::Draft*> drafts;
  for (const auto& derivation : running) drafts.push_back(derivation->draft());
  auto candidates = writer.write(drafts);
  auto next = candidates.begin();
  for (const auto& derivation : running) derivation->written(std::move(*next++));
}

void solve_all(const Solver& solver, const LeafDerivations& running) {
  std::vector<std::string_view> questions;
  for (const auto& derivation : running) questions.push_back(derivation->question());
  const std::vector<Solution> solutions = solver.solve(questions);
  auto next = solutions.begin();
  for (const auto& derivation : running) derivation->solved(*next++);
}

// Round by round: the question to the Selector, then that to the Solver.
template <class Kind, class Select>
std::vector<Result> run_rounds(Running<Kind> running, const Select& select, const Solver& solver) {
  for (running.collect(); running.any(); running.collect()) {
    select(running);
    running.collect();
    if (running.any()) solve_all(solver, running);
  }
  return std::move(running).results();
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
  Derivations running(formulas.size());
  for (const std::string_view formula : formulas) {
    running.add(std::make_unique<Derivation>(formula, calibrated(options), selector_.reach()));
  }
  const auto select = [&](const Derivations& all) { select_all(selector_, all); };
  return run_rounds(std::move(running), select, solver);
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
  LeafDerivations running(formulas.size());
  for (const std::string_view formula : formulas) {
    running.add(std::make_unique<LeafDerivation>(writer_.begin(formula), calibrated(options)));
  }
  const auto write = [&](const LeafDerivations& all) { write_all(writer_, all); };
  return run_rounds(std::move(running), write, solver);
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
