#pragma once
// First weights, drawn by our own generator: the same seed gives the same network with any
// libtorch.
#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "base/rng.h"

namespace nrs::learn {

torch::Tensor uniform_tensor(const std::vector<std::int64_t>& shape, double bound, Rng& rng);
torch::Tensor normal_tensor(const std::vector<std::int64_t>& shape, double spread, Rng& rng);

}  // namespace nrs::learn
