#pragma once
// A Rewriter: formulas in, results out. It is what every architecture provides.
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nrs/formula.h"
#include "nrs/modules.h"
#include "nrs/stop.h"

namespace nrs::rewrite {
class ModularRewriter;
}

namespace nrs {

// Which of the leaves that are found are rewritten: all of them (a round), or the last one only.
enum class Leaves { kAll, kLast };

// How formulas are rewritten. A Rewriter ignores options that make no sense for it.
struct RunOptions {
  Leaves leaves = Leaves::kAll;
  // A value with a lower joint log-probability is not applied; unset: Rewriter::threshold().
  std::optional<double> min_log_prob = std::nullopt;
  // Gives up after this many rewrites; unset: in proportion to the length of the formula.
  std::optional<std::size_t> max_steps = std::nullopt;
  bool keep_rounds = false;  // record every rewrite, for traces and analysis
};

// What happened to one leaf in one round.
struct Attempt {
  Step step;
  double selector_log_prob = 0;
  double solver_log_prob = 0;
  bool omega = false;    // the Solver sees nothing to compute; there is no value
  bool known = true;     // false: the Solver was taught nothing like this leaf
  bool applied = false;  // false: the leaf stays as it is
  // What a LeafWriter wrote, best first; empty with a Selector.
  std::vector<LeafCandidate> candidates{};
  Origin origin{};  // of the value
};

// One round: the leaves that were found in the formula as it stood, left to right. In the last
// round of a run nothing is applied: the whole formula is omega, or nothing that was found can be
// used.
using Round = std::vector<Attempt>;

struct Result {
  std::string formula;  // the last formula reached
  Stop stop = Stop::kStepLimit;
  std::size_t steps = 0;                  // rewrites done
  std::size_t rounds = 0;                 // rounds in which they were done
  std::vector<Round> record;              // empty unless keep_rounds
  std::vector<LeafCandidate> rejected{};  // if missing and keep_rounds: what was written instead

  bool ok() const { return stop == Stop::kFinal; }
};

// Const and thread-safe. Law: the result of a formula depends neither on other calls or formulas
// nor on the number of threads.
class Rewriter {
 public:
  virtual ~Rewriter() = default;

  // Runs all formulas together, so that networks see large batches. A mistake of a model is a
  // result: this never throws for what a model predicts. Formulas should have passed check().
  virtual std::vector<Result> run(std::span<const std::string_view> formulas,
                                  const RunOptions& options) const = 0;
  // One formula.
  Result rewrite(std::string_view formula, const RunOptions& options = {}) const;

  // Throws Error (input, with the column) at a character that it cannot read.
  virtual void check(std::string_view /*formula*/) const {}
  // The formula as it is worked on, which is what records begin with. Throws as check().
  virtual std::string canonical(std::string formula) const {
    check(formula);
    return formula;
  }
  // What formulas are written with, if that is a fixed list; empty: anything can be read.
  virtual std::vector<std::string> tokens() const { return {}; }
  // The joint log-probability below which a value is not used; nothing if values have none.
  virtual std::optional<double> threshold() const { return std::nullopt; }
  // Its modules (rewrite/modular.h), where it consists of a part that finds leaves and a Solver:
  // such a Rewriter can be verified, and its mistakes can be traced to a module. Else null.
  virtual const rewrite::ModularRewriter* modular() const { return nullptr; }
};

// The formula itself, then the formula after each recorded round.
std::vector<std::string> replay(std::string_view formula, std::span<const Round> record);

}  // namespace nrs
