#pragma once
// A Solver made of a table.
#include <functional>
#include <span>
#include <vector>

#include "nrs/modules.h"
#include "runtime/leaf_table.h"

namespace nrs::runtime {

// A Solver that is made when it is first needed; null: there is none.
using LateSolver = std::function<const Solver*()>;

// Answers what the table has, and asks another Solver about the rest; without one, what is not in
// the table is not known.
class LeafSolver final : public Solver {
 public:
  // `table` must outlive this.
  LeafSolver(const LeafTable& table, LateSolver other) : table_(table), other_(std::move(other)) {}

  std::vector<Solution> solve(std::span<const std::string_view> leaves) const override;

 private:
  const LeafTable& table_;
  LateSolver other_;
};

}  // namespace nrs::runtime
