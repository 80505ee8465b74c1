#include "nn/positions.h"

#include <algorithm>
#include <cmath>

namespace nrs::nn {

void draw_labels(int range, Rng& rng, std::span<std::int32_t> labels) {
  for (std::int32_t& label : labels) {
    label = static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(range)));
  }
  std::sort(labels.begin(), labels.end());
}

void fill_sinusoids(int count, int dim, float* table) {
  const int pairs = dim / 2;
  for (int position = 0; position < count; ++position) {
    for (int i = 0; i < pairs; ++i) {
      // The timescales run from 1 to 10000 inclusive: the divisor is pairs - 1.
      const double angle = position * std::exp(-i * std::log(10000.0) / std::max(1, pairs - 1));
      *table++ = static_cast<float>(std::sin(angle));
      *table++ = static_cast<float>(std::cos(angle));
    }
  }
}

}  // namespace nrs::nn
