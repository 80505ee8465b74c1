#pragma once
// The lines of a stream as formulas to answer, in batches.
#include <cstdint>
#include <functional>
#include <vector>

#include "base/lines.h"
#include "service/answerer.h"

namespace nrs::service {

// Calls `process` with many short lines at a time, or a few long ones, all in order. A batch does
// not wait for lines that have not arrived. Each line has its number for a place, from
// `lines_before` + 1, and an error if it is too long.
using ProcessBatch = std::function<void(std::vector<Answer>& batch)>;
void for_each_batch(LineReader& lines, std::uint64_t lines_before, const ProcessBatch& process);

}  // namespace nrs::service
