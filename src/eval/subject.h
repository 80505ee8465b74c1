#pragma once
// What is evaluated: a Selector and a Solver, each that of a model or the oracle's.
#include <span>
#include <string_view>
#include <vector>

#include "nrs/domain.h"
#include "nrs/rewriter.h"
#include "runtime/running_model.h"

namespace nrs {

struct Subject {
  // What finds leaves: a Selector (FastNRS) or a writer of the last leaf (NRS), the other is null;
  // both null: the oracle of the formula's domain. What they point to must outlive this.
  const Selector* selector = nullptr;
  const LeafWriter* writer = nullptr;
  const Solver* solver = nullptr;  // null: the oracle
  // A Neural Data Router instead of all of them: it gives values at once and has no modules.
  const ModelRouter* router = nullptr;
  RunOptions options;

  static Subject of(const RunningModel& model);
  bool rewrites() const { return router == nullptr; }
  // The same with the oracle in the place of a module: to see whose fault a wrong answer is.
  Subject with_oracle_selector() const;
  Subject with_oracle_solver() const;

  // `domain` may be null if no module is the oracle's.
  std::vector<Result> run(const Domain* domain, std::span<const std::string_view> formulas,
                          bool keep_rounds = false) const;
};

}  // namespace nrs
