#pragma once
// The state of one formula on its way through an engine. The engine carries its questions to the
// modules, so that these see the questions of many formulas at once.
#include <cstdint>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "nrs/rewriter.h"
#include "rewrite/chained_text.h"
#include "rewrite/limits.h"
#include "rewrite/windows.h"

namespace nrs::rewrite {

class Derivation {
 public:
  Derivation(std::string_view formula, const RunOptions& options, std::size_t reach,
             const Habits& habits = {});
  Derivation(const Derivation&) = delete;
  Derivation& operator=(const Derivation&) = delete;

  bool running() const { return running_; }

  // First question of a round, to the Selector: the parts of the formula that may have new leaves.
  const std::vector<Fragment>& fragments() const { return windows_.fragments(); }
  void selected(std::span<const std::vector<SelectedLeaf>> leaves);

  // Second question, to the Solver: the new leaves whose turn it is.
  const std::vector<std::string>& questions() const { return questions_; }
  // Rewrites what is sure enough, and makes the next question.
  void solved(std::span<const Solution> solutions);

  Result finish() &&;

 private:
  // A leaf that is known but not yet rewritten.
  struct Candidate {
    Stretch place;
    double selector_log_prob = 0;
    Solution solution;  // once asked
    bool asked = false;
    bool applied = false;  // in the round that is being recorded
  };

  void stop(Stop reason);
  void end_round(std::span<Candidate> asked, Stop reason);
  std::span<Candidate> turn();
  bool sure(const Candidate& candidate) const;
  Stop unsolved() const;
  bool whole(const Candidate& candidate) const;
  void keep_one(std::span<Candidate> asked) const;
  void judge(std::span<Candidate> asked);
  void take_blanks(std::span<Candidate> asked) const;
  void rewrite(std::span<Candidate> asked);
  std::vector<Stretch> replace(std::span<const Candidate> asked);
  void record(std::span<const Candidate> asked);
  bool came_back(std::size_t size_before);
  void forget_near();

  RunOptions options_;
  Habits habits_;
  std::size_t max_steps_;
  ChainedText text_;
  Windows windows_;
  bool running_ = true;
  Result result_;

  // First those that the Solver was not sure of, then the new ones from left to right. With
  // Leaves::kLast all are from left to right: only the last is ever taken.
  std::vector<Candidate> candidates_;
  std::vector<std::string> questions_;
  std::unordered_set<std::uint64_t> seen_;  // hashes of formulas
};

}  // namespace nrs::rewrite
