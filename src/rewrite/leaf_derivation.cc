#include "rewrite/leaf_derivation.h"

#include <utility>

#include "base/rng.h"
#include "rewrite/limits.h"

namespace nrs::rewrite {

LeafDerivation::LeafDerivation(std::unique_ptr<LeafWriter::Draft> draft, const RunOptions& options)
    : options_(options),
      max_steps_(options.max_steps.value_or(Habits().max_steps(draft->formula().size()))),
      draft_(std::move(draft)) {
  if (draft_->formula().empty()) stop(Stop::kNoLeaf);
}

void LeafDerivation::stop(Stop reason) {
  running_ = false;
  result_.stop = reason;
}

void LeafDerivation::written(std::vector<LeafCandidate> candidates) {
  candidates_ = std::move(candidates);
  if (!candidates_.empty() && candidates_.front().agreement >= 1) return;
  if (options_.keep_rounds) result_.rejected = std::move(candidates_);
  stop(Stop::kMissing);
}

void LeafDerivation::solved(const Solution& solution) {
  const Span place = candidates_.front().place;
  const bool sure = solution.known && solution.log_prob >= options_.min_log_prob;
  const bool whole = place.size() == draft_->formula().size();
  if (sure && solution.omega && whole) {
    if (options_.keep_rounds) record(solution, /*applied=*/false);
    return stop(Stop::kFinal);
  }
  const std::string& value = solution.value;
  const bool malformed = !solution.omega && !Habits().allow(question(), value);
  // Omega of a part says nothing of the whole, and there is no other leaf to go on with.
  const bool applies = sure && !solution.omega && !malformed;
  if (applies && result_.steps >= max_steps_) return stop(Stop::kStepLimit);
  if (options_.keep_rounds) record(solution, applies);
  if (!solution.known) return stop(Stop::kUnknownLeaf);
  if (!applies) return stop(sure && malformed ? Stop::kMalformed : Stop::kLowConfidence);
  const std::size_t size_before = draft_->formula().size();
  draft_->replace(place, value);
  ++result_.steps;
  ++result_.rounds;
  if (came_back(size_before)) stop(Stop::kCycle);
}

bool LeafDerivation::came_back(std::size_t size_before) {
  if (draft_->formula().size() < size_before) return false;  // only ever shorter: no way back
  return !seen_.insert(hash_text(draft_->formula())).second;
}

void LeafDerivation::record(const Solution& solution, bool applied) {
  Attempt attempt{.step = {.leaf = candidates_.front().place, .value = solution.value},
                  .selector_log_prob = candidates_.front().log_prob,
                  .solver_log_prob = solution.log_prob,
                  .omega = solution.omega,
                  .known = solution.known,
                  .applied = applied,
                  .candidates = candidates_,
                  .origin = solution.origin};
  result_.record.push_back({std::move(attempt)});
}

Result LeafDerivation::finish() && {
  result_.formula = draft_->formula();
  return std::move(result_);
}

}  // namespace nrs::rewrite
