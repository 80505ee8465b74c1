#include "nrs/engine.h"

#include <memory>

#include "rewrite/derivation.h"

namespace nrs {
namespace {

using Derivations = std::vector<std::unique_ptr<Derivation>>;

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

}  // namespace

std::string_view name_of(Stop stop) {
  switch (stop) {
    case Stop::kFinal:
      return "final";
    case Stop::kMissing:
      return "missing";
    case Stop::kMalformed:
      return "malformed";
    case Stop::kLowConfidence:
      return "low_confidence";
    case Stop::kNoLeaf:
      return "no_leaf";
    case Stop::kCycle:
      return "cycle";
    case Stop::kStepLimit:
      return "step_limit";
  }
  return "unknown";
}

Engine::Engine(const Selector& selector, const Solver& solver, EngineOptions options)
    : selector_(selector), solver_(solver), options_(options) {}

std::vector<Result> Engine::run(std::span<const std::string_view> formulas) const {
  std::vector<Result> results(formulas.size());
  Derivations running;
  std::vector<std::size_t> indexes;
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    running.push_back(std::make_unique<Derivation>(formulas[i], options_, selector_.reach()));
    indexes.push_back(i);
  }
  // Takes out what has ended, so that the modules are not asked about it again.
  const auto collect = [&] {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < running.size(); ++i) {
      if (running[i]->running()) {
        running[kept] = std::move(running[i]);
        indexes[kept++] = indexes[i];
      } else {
        results[indexes[i]] = std::move(*running[i]).finish();
        running[i].reset();
      }
    }
    running.resize(kept);
  };
  for (collect(); !running.empty(); collect()) {
    select_all(selector_, running);
    collect();
    if (!running.empty()) solve_all(solver_, running);
  }
  return results;
}

Result Engine::run(std::string_view formula) const {
  return std::move(run(std::span(&formula, 1)).front());
}

}  // namespace nrs
