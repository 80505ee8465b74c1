#include <cassert>

#include "nrs/engine.h"
#include "nrs/formula.h"

namespace nrs {

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
