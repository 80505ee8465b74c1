#pragma once
// Attention to the last match, for one pass forward.
#include "runtime/kernels.h"

namespace nrs::runtime {

// out [D] = what the query [D] finds: from the end on each memory takes its share
// 1 / (1 + e^-(score + bias)) of what those behind it have left over; bias [H]. The memories may
// lie in two parts, the second behind the first. Reads no further than until nothing is left: what
// is before costs nothing.
void attend_last_match(HeadShape shape, const float* bias, const float* query,
                       const Memories& before, const Memories& behind, float* out);

}  // namespace nrs::runtime
