#include "runtime/leaf_solver.h"

#include <limits>

namespace nrs::runtime {

std::vector<Solution> LeafSolver::solve(std::span<const std::string_view> leaves) const {
  std::vector<Solution> solutions(leaves.size());
  std::vector<std::string_view> asked;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    std::string_view copied;
    if (const TableValue* value = table_.find(leaves[i], copied)) {
      solutions[i] = {.value = value->omega ? "" : value->text + std::string(copied),
                      .omega = value->omega,
                      .log_prob = value->log_prob,
                      .origin = {.source = ValueSource::kTable}};
    } else {
      solutions[i].known = false;
      solutions[i].log_prob = -std::numeric_limits<double>::infinity();
      asked.push_back(leaves[i]);
      places.push_back(i);
    }
  }
  const Solver* const other = asked.empty() || !other_ ? nullptr : other_();
  if (other == nullptr) return solutions;
  std::vector<Solution> answers = other->solve(asked);
  for (std::size_t i = 0; i < places.size(); ++i) solutions[places[i]] = std::move(answers[i]);
  return solutions;
}

}  // namespace nrs::runtime
