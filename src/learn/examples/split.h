#pragma once
// Splits a batch into parts that are computed side by side.
#include <cstdint>
#include <vector>

#include "learn/examples/batches.h"

namespace nrs {

struct RowRange {
  std::int64_t begin, end;
};
// costs: of all rows before each row, and of all, [B + 1].
std::vector<RowRange> row_ranges(const std::vector<std::int64_t>& costs, int parts);
TokenRows slice(const TokenRows& rows, RowRange range);

// Consecutive rows, about equally many tokens in each part; a part may be empty. Depends on nothing
// but the batch and `parts`.
std::vector<SelectorBatch> split(const SelectorBatch& batch, int parts);
std::vector<SolverBatch> split(const SolverBatch& batch, int parts);

// What was computed for the rows of each part, in the order of the batch.
std::vector<float> joined(const std::vector<std::vector<float>>& parts);

}  // namespace nrs
