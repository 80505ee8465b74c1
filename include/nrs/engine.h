#pragma once
// Rewrites formulas until they are final, or says why it stopped.
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nrs/formula.h"
#include "nrs/leaf_writer.h"
#include "nrs/modules.h"
#include "nrs/stop.h"

namespace nrs {

// Which of the leaves that a Selector finds are rewritten: all of them (FastNRS, a round), or the
// last one only (a step).
enum class Leaves { kAll, kLast };

struct EngineOptions {
  Leaves leaves = Leaves::kAll;
  // A value with a lower joint log-probability is not applied.
  double min_log_prob = -std::numeric_limits<double>::infinity();
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
};

// One round: the leaves that were found in the formula as it stood, left to right. In the last
// round of a run nothing is applied: the whole formula is omega, or what was found is no use.
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

// Law: with an exact Selector and Solver every formula reaches its value, whichever leaves are
// taken first. The cost of a run grows with the length of the formula plus the number of rewrites,
// not with their product, as long as the Selector's reach is bounded. Const after construction;
// run() may be called from several threads at once.
class Engine {
 public:
  // The modules must outlive the engine. With a LeafWriter it is the NRS: one leaf is written,
  // found and rewritten at a time, and EngineOptions::leaves says nothing.
  Engine(const Selector& selector, const Solver& solver, EngineOptions options = {});
  Engine(const LeafWriter& writer, const Solver& solver, EngineOptions options = {});

  // All formulas together, so that the modules see large batches. What becomes of a formula does
  // not depend on its companions. Never throws for what a module predicts.
  std::vector<Result> run(std::span<const std::string_view> formulas) const;
  Result run(std::string_view formula) const;

 private:
  const Selector* selector_ = nullptr;  // either this
  const LeafWriter* writer_ = nullptr;  // or this
  const Solver& solver_;
  EngineOptions options_;
};

// The formula itself and then what each recorded round left of it.
std::vector<std::string> replay(std::string_view formula, std::span<const Round> record);

}  // namespace nrs
