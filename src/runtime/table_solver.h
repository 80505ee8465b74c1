#pragma once
// Solvers that know answers by heart.
#include <map>
#include <string>

#include "nrs/modules.h"
#include "runtime/leaf_table.h"

namespace nrs::runtime {

// Leaves and their values.
using AnswerTable = std::map<std::string, std::string, std::less<>>;

// Answers what the table has, and asks another Solver about the rest; without one, what is not in
// the table is not known.
class TableSolver final : public Solver {
 public:
  // `other`, which may be null, must outlive this.
  TableSolver(AnswerTable table, const Solver* other) : table_(std::move(table)), other_(other) {}

  std::vector<Solution> solve(std::span<const std::string_view> leaves) const override;

 private:
  AnswerTable table_;
  const Solver* other_;
};

// The same with the table of a compiled model, and without another Solver.
class LeafSolver final : public Solver {
 public:
  // `table` must outlive this.
  explicit LeafSolver(const LeafTable& table) : table_(table) {}

  std::vector<Solution> solve(std::span<const std::string_view> leaves) const override;

 private:
  const LeafTable& table_;
};

}  // namespace nrs::runtime
