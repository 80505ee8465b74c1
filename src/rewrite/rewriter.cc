#include "nrs/rewriter.h"

#include <cassert>
#include <utility>

namespace nrs {

Result Rewriter::rewrite(std::string_view formula, const RunOptions& options) const {
  return std::move(run(std::span(&formula, 1), options).front());
}

std::string_view name_of(Stop stop) {
  switch (stop) {
    case Stop::kFinal:
      return "final";
    case Stop::kMissing:
      return "missing";
    case Stop::kMalformed:
      return "malformed";
    case Stop::kLowConfidence:
      return "low_confidence";
    case Stop::kUnknownLeaf:
      return "unknown_leaf";
    case Stop::kNoLeaf:
      return "no_leaf";
    case Stop::kCycle:
      return "cycle";
    case Stop::kStepLimit:
      return "step_limit";
    case Stop::kMemoryLimit:
      return "memory_limit";
  }
  return "unknown";
}

std::string_view name_of(ValueSource source) {
  switch (source) {
    case ValueSource::kNetwork:
      return "network";
    case ValueSource::kOracle:
      return "oracle";
    case ValueSource::kTable:
      return "table";
    case ValueSource::kRule:
      return "rule";
  }
  return "unknown";
}

std::string combine(std::string_view formula, std::span<const Step> steps) {
  std::string result;
  result.reserve(formula.size());
  std::size_t copied = 0;
  for (const Step& step : steps) {
    assert(copied <= step.leaf.begin && step.leaf.end <= formula.size());
    result.append(formula, copied, step.leaf.begin - copied);
    result += step.value;
    copied = step.leaf.end;
  }
  result.append(formula, copied);
  return result;
}

std::vector<std::string> replay(std::string_view formula, std::span<const Round> record) {
  std::vector<std::string> formulas = {std::string(formula)};
  std::vector<Step> steps;
  for (const Round& round : record) {
    steps.clear();
    for (const Attempt& attempt : round) {
      if (attempt.applied) steps.push_back(attempt.step);
    }
    if (!steps.empty()) formulas.push_back(combine(formulas.back(), steps));
  }
  return formulas;
}

}  // namespace nrs
