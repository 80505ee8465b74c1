#include "service/rewrites.h"

#include <string>

namespace nrs::service {

std::vector<Rewrite> rewrites_of(std::string_view formula, std::span<const Round> record) {
  std::vector<Rewrite> steps;
  const std::vector<std::string> formulas = replay(formula, record);
  for (std::size_t round = 0; round + 1 < formulas.size(); ++round) {
    for (const Attempt& attempt : record[round]) {
      if (!attempt.applied) continue;
      steps.push_back({.round = round,
                       .span = attempt.step.leaf,
                       .leaf = std::string(attempt.step.leaf.of(formulas[round])),
                       .value = attempt.step.value,
                       .selector_log_prob = attempt.selector_log_prob,
                       .solver_log_prob = attempt.solver_log_prob,
                       .origin = attempt.origin});
    }
  }
  return steps;
}

}  // namespace nrs::service
