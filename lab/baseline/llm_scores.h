#pragma once
// The score of a language model, level by level, for programs and for people.
#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "baseline/interview.h"
#include "eval/tally.h"

namespace nrs {

struct LlmTally {
  std::size_t right = 0;
  std::size_t wrong = 0;
  std::size_t unparsed = 0;
  std::size_t failed = 0;         // counted apart: no answer was given, so none was wrong
  std::size_t samples_right = 0;  // of all samples of the formulas that did not fail

  void add(const LlmTally& other);
  void count(const Judged& judged);
  std::size_t formulas() const { return right + wrong + unparsed; }
};

struct LlmScores {
  std::map<Level, LlmTally> levels;
  std::size_t tries = 0;  // requests sent, those that failed included
  std::size_t prompt_tokens = 0;
  std::size_t completion_tokens = 0;
  double seconds = 0;
  bool interrupted = false;  // not all questions were asked

  LlmTally total() const;
};

nlohmann::ordered_json to_json(const InterviewSettings& settings, const std::string& record,
                               const LlmScores& scores);
std::string to_table(const InterviewSettings& settings, const LlmScores& scores);

}  // namespace nrs
