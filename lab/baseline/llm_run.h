#pragma once
// A whole run of a language model: every question asked once, on several connections, every reply
// recorded; or the same from a record, without any network.
#include <functional>
#include <string>
#include <vector>

#include "baseline/http.h"
#include "baseline/interview.h"
#include "baseline/patience.h"

namespace nrs {

struct LlmRun {
  InterviewSettings settings;
  std::vector<Question> questions;
  HttpOptions http;
  Patience patience;
  int parallel = 1;
};

struct LlmWatch {
  std::function<bool()> stop;  // asked often, from several threads: end now?
  // After each question, and before each wait (then with what went wrong). One call at a time.
  std::function<void(const LlmScores& so_far, const std::string& trouble)> on_progress;
};

struct LlmEnd {
  LlmScores scores;
  std::string given_up;  // why the run was ended before all was asked; empty: it was not
  std::string failure;   // of the last formula that failed
};

// `known`: what an earlier run recorded; those requests are not sent again.
LlmEnd run_llm(const LlmRun& run, const Record& known, RecordFile& file, const LlmWatch& watch);

// The scores of what was recorded. Formulas of which replies are missing count as failed.
LlmScores replay(const Record& record);

}  // namespace nrs
