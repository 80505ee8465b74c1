#include "runtime/leaf_solver.h"

#include <limits>

namespace nrs::runtime {

std::vector<Solution> LeafSolver::solve(std::span<const std::string_view> leaves) const {
  std::vector<Solution> solutions(leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    std::string_view copied;
    const TableValue* const value = table_.find(leaves[i], copied);
    if (value == nullptr) {
      solutions[i].known = false;
      solutions[i].log_prob = -std::numeric_limits<double>::infinity();
      continue;
    }
    solutions[i] = {.value = value->omega ? "" : value->text + std::string(copied),
                    .omega = value->omega,
                    .log_prob = value->log_prob,
                    .origin = {.source = ValueSource::kTable}};
  }
  return solutions;
}

}  // namespace nrs::runtime
