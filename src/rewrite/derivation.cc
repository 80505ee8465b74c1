#include "rewrite/derivation.h"

#include <algorithm>
#include <utility>

#include "base/rng.h"

namespace nrs::rewrite {
namespace {

Attempt attempt_of(Span leaf, double selector_log_prob, const Solution& solution, bool applied) {
  return {.step = {.leaf = leaf, .value = solution.value},
          .selector_log_prob = selector_log_prob,
          .solver_log_prob = solution.log_prob,
          .omega = solution.omega,
          .known = solution.known,
          .applied = applied,
          .origin = solution.origin};
}

}  // namespace

bool DerivationState::seen(std::string_view formula) {
  return !seen_.insert(hash_text(formula)).second;
}

Result DerivationState::finish(std::string formula) && {
  result_.formula = std::move(formula);
  return std::move(result_);
}

Derivation::Derivation(std::string_view formula, const RunOptions& options, std::size_t reach,
                       const Habits& habits)
    : DerivationState(options, habits, formula.size()), text_(formula), windows_(text_, reach) {
  if (running()) windows_.cut_whole();
}

// The candidates that the Solver is asked about now.
std::span<Derivation::Candidate> Derivation::turn() {
  if (options_.leaves == Leaves::kLast) return std::span(candidates_).last(1);
  const auto first = std::partition_point(candidates_.begin(), candidates_.end(),
                                          [](const Candidate& c) { return c.asked; });
  return std::span(candidates_).subspan(static_cast<std::size_t>(first - candidates_.begin()));
}

void Derivation::selected(std::span<const std::vector<SelectedLeaf>> leaves) {
  forget_near();
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    for (const SelectedLeaf& leaf : leaves[i]) {
      const std::optional<Stretch> place = windows_.find(i, leaf.span);
      if (!place) continue;
      Candidate& candidate = candidates_.emplace_back();
      candidate.place = *place;
      candidate.selector_log_prob = leaf.log_prob;
    }
  }
  questions_.clear();
  if (candidates_.empty()) return stop(Stop::kNoLeaf);
  const std::span<Candidate> asked = turn();
  if (asked.empty()) return end_round(asked, unsolved());
  for (const Candidate& candidate : asked) questions_.push_back(text_.copy(candidate.place));
}

// Candidates near a change are selected again; the others stay.
void Derivation::forget_near() {
  const auto near = [&](const Candidate& c) { return windows_.near(c.place); };
  if (options_.leaves == Leaves::kAll) {
    std::erase_if(candidates_, near);
    return;
  }
  // In order, and the change was at the right end: those that are near are the last ones.
  while (!candidates_.empty() && near(candidates_.back())) candidates_.pop_back();
}

bool Derivation::whole(const Candidate& candidate) const {
  return text_.previous(candidate.place.first) == ChainedText::kEdge &&
         text_.next(candidate.place.last) == ChainedText::kEdge;
}

void Derivation::solved(std::span<const Solution> solutions) {
  const std::span<Candidate> asked = turn();
  for (std::size_t i = 0; i < asked.size(); ++i) {
    asked[i].solution = solutions[i];
    asked[i].asked = true;
    Solution& solution = asked[i].solution;
    if (solution.alone && whole(asked[i])) solution.value = *std::exchange(solution.alone, {});
  }
  keep_one(asked);
  judge(asked);
  if (running()) rewrite(asked);
}

// Where the leaves are all that there is, the last that is left may have another value alone: the
// first waits. It is selected again, because what is beside it changes.
void Derivation::keep_one(std::span<Candidate> asked) const {
  if (asked.size() < 2 || !asked.front().solution.alone) return;
  std::size_t covered = 0;
  for (const std::string& question : questions_) covered += question.size();
  if (covered == text_.size()) asked.front().solution.known = false;
}

// Ends the derivation if the answers leave no other way; else marks what is to be rewritten.
void Derivation::judge(std::span<Candidate> asked) {
  bool any = false;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    Candidate& candidate = asked[i];
    const Solution& solution = candidate.solution;
    if (!sure(solution)) continue;
    if (solution.omega) {
      // Omega of a part says nothing of the whole: that leaf just stays.
      if (whole(candidate)) return end_round(asked, Stop::kFinal);
      continue;
    }
    if (!habits_.allow(questions_[i], solution.value)) return end_round(asked, Stop::kMalformed);
    candidate.applied = true;
    any = true;
  }
  if (!any) end_round(asked, unsolved());
}

// Why the leaves that are left have no value.
Stop Derivation::unsolved() const {
  const bool unknown = std::ranges::any_of(
      candidates_, [](const Candidate& c) { return c.asked && !c.solution.known; });
  return unknown ? Stop::kUnknownLeaf : Stop::kLowConfidence;
}

// Ends with a round in which nothing is rewritten.
void Derivation::end_round(std::span<Candidate> asked, Stop reason) {
  for (Candidate& candidate : asked) candidate.applied = false;
  if (options_.keep_rounds) record(asked);
  stop(reason);
}

void Derivation::rewrite(std::span<Candidate> asked) {
  if (result_.steps >= max_steps_) return stop(Stop::kStepLimit);
  take_blanks(asked);
  if (options_.keep_rounds) record(asked);
  const std::size_t size_before = text_.size();
  const std::vector<Stretch> changed = replace(asked);
  ++result_.rounds;
  if (options_.leaves == Leaves::kAll) {
    std::erase_if(candidates_, [](const Candidate& c) { return c.applied; });
  } else {
    candidates_.pop_back();
  }
  if (text_.size() == 0) return stop(Stop::kNoLeaf);
  // Formulas that only ever get shorter cannot come back, so only others are remembered: a
  // derivation of the usual kind does not pay for this.
  if (text_.size() >= size_before && seen(text_.str())) return stop(Stop::kCycle);
  windows_.cut_around(changed);
}

// What vanishes takes a blank with it, so that none is left at an end, and no two side by side. Its
// place has the blank then, so that a trace shows the same.
void Derivation::take_blanks(std::span<Candidate> asked) const {
  const auto blank = [&](Link link) { return link != ChainedText::kEdge && text_.at(link) == ' '; };
  Link taken = ChainedText::kEdge;  // by the last leaf that vanishes, behind it
  for (Candidate& candidate : asked) {
    if (!candidate.applied || !candidate.solution.value.empty()) continue;
    Stretch& place = candidate.place;
    const Link before = text_.previous(place.first), behind = text_.next(place.last);
    const bool starts = before == taken || before == ChainedText::kEdge;
    const bool ends = behind == ChainedText::kEdge;
    if ((!starts && !blank(before)) || (!ends && !blank(behind))) continue;
    if (!starts) {
      place.first = before;
    } else if (!ends) {
      taken = place.last = behind;
    }
  }
}

// Puts the values in and returns where the formula has changed, from left to right. Where nothing
// is left of a leaf, that is the character before it, or else the first one.
std::vector<Stretch> Derivation::replace(std::span<const Candidate> asked) {
  std::vector<Stretch> changed;
  for (const Candidate& candidate : asked) {
    if (!candidate.applied) continue;
    changed.push_back(text_.replace(candidate.place, candidate.solution.value));
    ++result_.steps;
  }
  for (Stretch& stretch : changed) {
    if (stretch.first != ChainedText::kEdge) break;
    stretch = {text_.next(ChainedText::kEdge), text_.next(ChainedText::kEdge)};
  }
  return changed;
}

// With all leaves, those of earlier rounds that still wait belong to the round as well.
void Derivation::record(std::span<const Candidate> asked) {
  const std::span<const Candidate> round =
      options_.leaves == Leaves::kAll ? std::span<const Candidate>(candidates_) : asked;
  std::vector<std::size_t> offsets(text_.links());
  std::size_t offset = 0;
  for (Link link = text_.next(ChainedText::kEdge); link != ChainedText::kEdge;
       link = text_.next(link)) {
    offsets[link] = offset++;
  }
  Round& attempts = result_.record.emplace_back();
  for (const Candidate& candidate : round) {
    const std::size_t begin = offsets[candidate.place.first];
    const Span leaf{begin, begin + text_.copy(candidate.place).size()};
    attempts.push_back(
        attempt_of(leaf, candidate.selector_log_prob, candidate.solution, candidate.applied));
  }
  std::sort(attempts.begin(), attempts.end(),
            [](const Attempt& a, const Attempt& b) { return a.step.leaf < b.step.leaf; });
}

void LeafDerivation::written(std::vector<LeafCandidate> candidates) {
  candidates_ = std::move(candidates);
  if (!candidates_.empty() && candidates_.front().agreement >= 1) return;
  if (options_.keep_rounds) result_.rejected = std::move(candidates_);
  stop(Stop::kMissing);
}

void LeafDerivation::solved(std::span<const Solution> solutions) {
  const Solution& solution = solutions.front();
  const Span place = candidates_.front().place;
  const std::size_t size_before = draft_->formula().size();
  if (sure(solution) && solution.omega && place.size() == size_before) {
    if (options_.keep_rounds) record(solution, /*applied=*/false);
    return stop(Stop::kFinal);
  }
  const bool malformed =
      !solution.omega && !habits_.allow(candidates_.front().text, solution.value);
  // Omega of a part says nothing of the whole, and there is no other leaf to go on with.
  const bool applies = sure(solution) && !solution.omega && !malformed;
  if (applies && result_.steps >= max_steps_) return stop(Stop::kStepLimit);
  if (options_.keep_rounds) record(solution, applies);
  if (!solution.known) return stop(Stop::kUnknownLeaf);
  if (!applies) return stop(sure(solution) && malformed ? Stop::kMalformed : Stop::kLowConfidence);
  draft_->replace(place, solution.value);
  ++result_.steps;
  ++result_.rounds;
  const std::string& formula = draft_->formula();
  if (formula.size() >= size_before && seen(formula)) stop(Stop::kCycle);
}

void LeafDerivation::record(const Solution& solution, bool applied) {
  const LeafCandidate& taken = candidates_.front();
  Attempt attempt = attempt_of(taken.place, taken.log_prob, solution, applied);
  attempt.candidates = candidates_;
  result_.record.push_back({std::move(attempt)});
}

}  // namespace nrs::rewrite
