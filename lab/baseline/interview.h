#pragma once
// Asks questions by a protocol and judges the answers.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "baseline/record.h"

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

}  // namespace nrs
