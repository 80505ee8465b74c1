#pragma once
// The state of one formula on its way through an engine. The engine carries its questions to the
// modules, so that these see the questions of many formulas at once.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "nrs/modules.h"
#include "nrs/rewriter.h"
#include "rewrite/chained_text.h"
#include "rewrite/habits.h"

namespace nrs::rewrite {

// What both kinds of engine have in common. Each asks first where leaves are, then the Solver.
class DerivationState {
 public:
  DerivationState(const DerivationState&) = delete;
  DerivationState& operator=(const DerivationState&) = delete;

  bool running() const { return running_; }

 protected:
  DerivationState(const RunOptions& options, const Habits& habits, std::size_t length)
      : options_(options),
        habits_(habits),
        max_steps_(options.max_steps.value_or(habits.max_steps(length))) {
    if (length == 0) stop(Stop::kNoLeaf);
  }
  ~DerivationState() = default;

  void stop(Stop reason) {
    running_ = false;
    result_.stop = reason;
  }
  bool sure(const Solution& solution) const {
    return solution.known && solution.log_prob >= options_.min_log_prob;
  }
  // Whether this formula was reached before.
  bool seen(std::string_view formula);
  Result finish(std::string formula) &&;

  RunOptions options_;
  Habits habits_;
  std::size_t max_steps_;
  Result result_;

 private:
  bool running_ = true;
  std::unordered_set<std::uint64_t> seen_;  // hashes of formulas
};

// FastNRS: of all leaves that are found, those are rewritten whose values are sure enough.
class Derivation : public DerivationState {
 public:
  Derivation(std::string_view formula, const RunOptions& options, std::size_t reach,
             const Habits& habits);

  // First question of a round, to the Selector: the parts of the formula that may have new leaves.
  const std::vector<Fragment>& fragments() const { return windows_.fragments(); }
  void selected(std::span<const std::vector<SelectedLeaf>> leaves);

  // Second question, to the Solver: the new leaves whose turn it is.
  std::span<const std::string> questions() const { return questions_; }
  // Rewrites what is sure enough, and makes the next question.
  void solved(std::span<const Solution> solutions);

  Result finish() && { return std::move(*this).DerivationState::finish(text_.str()); }

 private:
  // A leaf that is known but not yet rewritten.
  struct Candidate {
    Stretch place;
    double selector_log_prob = 0;
    Solution solution;  // once asked
    bool asked = false;
    bool applied = false;  // in the round that is being recorded
  };

  void end_round(std::span<Candidate> asked, Stop reason);
  std::span<Candidate> turn();
  Stop unsolved() const;
  bool whole(const Candidate& candidate) const;
  void keep_one(std::span<Candidate> asked) const;
  void judge(std::span<Candidate> asked);
  void take_blanks(std::span<Candidate> asked) const;
  void rewrite(std::span<Candidate> asked);
  std::vector<Stretch> replace(std::span<const Candidate> asked);
  void record(std::span<const Candidate> asked);
  void forget_near();

  ChainedText text_;
  Windows windows_;
  // First those that the Solver was not sure of, then the new ones from left to right. With
  // Leaves::kLast all are from left to right: only the last is ever taken.
  std::vector<Candidate> candidates_;
  std::vector<std::string> questions_;
};

// NRS: one leaf is written, found and rewritten at a time.
class LeafDerivation : public DerivationState {
 public:
  LeafDerivation(std::unique_ptr<LeafWriter::Draft> draft, const RunOptions& options)
      : DerivationState(options, {}, draft->formula().size()), draft_(std::move(draft)) {}

  // First question of a step, to the writer.
  LeafWriter::Draft* draft() const { return draft_.get(); }
  void written(std::vector<LeafCandidate> candidates);

  // Second question, to the Solver: one leaf.
  std::span<const std::string> questions() const { return {&candidates_.front().text, 1}; }
  // Rewrites, or stops with a reason.
  void solved(std::span<const Solution> solutions);

  Result finish() && { return std::move(*this).DerivationState::finish(draft_->formula()); }

 private:
  void record(const Solution& solution, bool applied);

  std::unique_ptr<LeafWriter::Draft> draft_;
  std::vector<LeafCandidate> candidates_;  // of this step, best first
};

}  // namespace nrs::rewrite
