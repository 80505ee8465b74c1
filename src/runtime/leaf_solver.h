#pragma once
// A Solver made of a table.
#include <span>
#include <vector>

#include "nrs/modules.h"
#include "runtime/leaf_table.h"

namespace nrs::runtime {

// What is not in the table is not known.
class LeafSolver final : public Solver {
 public:
  // `table` must outlive this.
  explicit LeafSolver(const LeafTable& table) : table_(table) {}

  std::vector<Solution> solve(std::span<const std::string_view> leaves) const override;

 private:
  const LeafTable& table_;
};

}  // namespace nrs::runtime
