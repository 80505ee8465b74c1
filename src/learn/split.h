#pragma once
// Splits a batch into parts that are computed side by side.
#include <cstdint>
#include <vector>

#include "learn/batches.h"

namespace nrs {

// Consecutive rows, about equally many tokens in each part; a part may be empty. Depends on nothing
// but the batch and `parts`.
std::vector<SelectorBatch> split(const SelectorBatch& batch, int parts);
std::vector<SolverBatch> split(const SolverBatch& batch, int parts);

// What was computed for the rows of each part, in the order of the batch.
std::vector<float> joined(const std::vector<std::vector<float>>& parts);

}  // namespace nrs
