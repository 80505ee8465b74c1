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

}  // namespace nrs
