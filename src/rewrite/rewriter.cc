#include "nrs/rewriter.h"

#include <array>
#include <cassert>
#include <utility>

namespace nrs {

Result Rewriter::rewrite(std::string_view formula, const RunOptions& options) const {
  return std::move(run(std::span(&formula, 1), options).front());
}

// Both in the order of the values.
std::string_view name_of(Stop stop) {
  constexpr std::array<std::string_view, 9> kNames{
      "final",   "missing", "malformed",  "low_confidence", "unknown_leaf",
      "no_leaf", "cycle",   "step_limit", "memory_limit"};
  return kNames.at(static_cast<std::size_t>(stop));
}

std::string_view name_of(ValueSource source) {
  constexpr std::array<std::string_view, 4> kNames{"network", "oracle", "table", "rule"};
  return kNames.at(static_cast<std::size_t>(source));
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
