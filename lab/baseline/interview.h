#pragma once
// Asks questions by a protocol, judges the answers, and counts them level by level, for programs
// and for people.
#include <cstddef>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "baseline/record.h"
#include "eval/tally.h"

namespace nrs {

enum class Grade {
  kRight,
  kWrong,
  kUnparsed,  // there are replies, but no answer in any
  kFailed     // not all replies came
};

struct Judged {
  Grade grade = Grade::kFailed;
  std::optional<std::string> answer;  // that was voted for
  int samples_right = 0;              // each taken alone
};

// The reply to one request, or nothing if none comes.
using Reply =
    std::function<std::optional<ChatAnswer>(const Turn& turn, const std::string& request)>;

Judged interview(const InterviewSettings& settings, const Question& question, const Reply& reply);

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
