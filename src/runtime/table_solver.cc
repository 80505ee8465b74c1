#include "runtime/table_solver.h"

#include <limits>

namespace nrs::runtime {

std::vector<Solution> TableSolver::solve(std::span<const std::string_view> leaves) const {
  std::vector<Solution> solutions(leaves.size());
  std::vector<std::string_view> asked;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (const auto found = table_.find(leaves[i]); found != table_.end()) {
      solutions[i].value = found->second;
      solutions[i].origin.source = ValueSource::kTable;
    } else if (other_ != nullptr) {
      asked.push_back(leaves[i]);
      places.push_back(i);
    } else {
      solutions[i].known = false;
      solutions[i].log_prob = -std::numeric_limits<double>::infinity();
    }
  }
  if (asked.empty()) return solutions;
  std::vector<Solution> answers = other_->solve(asked);
  for (std::size_t i = 0; i < places.size(); ++i) solutions[places[i]] = std::move(answers[i]);
  return solutions;
}

}  // namespace nrs::runtime
