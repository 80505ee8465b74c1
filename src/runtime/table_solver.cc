#include "runtime/table_solver.h"

#include <limits>

namespace nrs::runtime {
namespace {

Solution not_known() {
  return {.value = {}, .log_prob = -std::numeric_limits<double>::infinity(), .known = false};
}

}  // namespace

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
      solutions[i] = not_known();
    }
  }
  if (asked.empty()) return solutions;
  std::vector<Solution> answers = other_->solve(asked);
  for (std::size_t i = 0; i < places.size(); ++i) solutions[places[i]] = std::move(answers[i]);
  return solutions;
}

std::vector<Solution> LeafSolver::solve(std::span<const std::string_view> leaves) const {
  std::vector<Solution> solutions(leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    std::string_view copied;
    const TableValue* const value = table_.find(leaves[i], copied);
    if (value == nullptr) {
      solutions[i] = not_known();
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
