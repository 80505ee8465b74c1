#pragma once
// What positions are made of: training and running a model must agree on it to the bit.
#include <cstdint>
#include <span>

#include "base/rng.h"

namespace nrs::nn {

// Sorted labels in [0, range) for one row. They may repeat, as in the paper. Each row draws its
// own, of its own length, where the authors draw once for the padded batch: a row must not depend
// on its companions.
void draw_labels(int range, Rng& rng, std::span<std::int32_t> labels);

// sin and cos of the positions 0..count-1 in alternating channels: table [count, dim].
void fill_sinusoids(int count, int dim, float* table);

}  // namespace nrs::nn
