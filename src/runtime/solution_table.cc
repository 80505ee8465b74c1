#include "runtime/solution_table.h"

namespace nrs::runtime {

std::optional<Solution> SolutionTable::find(std::string_view leaf) const {
  const Part& part = parts_[part_of(leaf)];
  const std::lock_guard lock(part.mutex);
  const auto found = part.solutions.find(leaf);
  return found == part.solutions.end() ? std::nullopt : std::optional(found->second);
}

void SolutionTable::add(std::string_view leaf, const Solution& solution) {
  if (part_capacity_ == 0) return;
  Part& part = parts_[part_of(leaf)];
  const std::lock_guard lock(part.mutex);
  if (part.solutions.size() >= part_capacity_) part.solutions.clear();
  part.solutions.emplace(leaf, solution);
}

}  // namespace nrs::runtime
