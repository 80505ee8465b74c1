#include "learn/nets/initial_weights.h"

#include <cmath>
#include <numbers>

namespace nrs::learn {

torch::Tensor uniform_tensor(const std::vector<std::int64_t>& shape, double bound, Rng& rng) {
  torch::Tensor tensor = torch::empty(shape);
  auto* to = tensor.data_ptr<float>();
  for (std::int64_t i = 0; i < tensor.numel(); ++i) {
    to[i] = static_cast<float>(bound * (2 * rng.uniform() - 1));
  }
  return tensor;
}

torch::Tensor normal_tensor(const std::vector<std::int64_t>& shape, double spread, Rng& rng) {
  torch::Tensor tensor = torch::empty(shape);
  auto* to = tensor.data_ptr<float>();
  for (std::int64_t i = 0; i < tensor.numel(); ++i) {  // Box and Muller
    const double radius = std::sqrt(-2 * std::log(1 - rng.uniform()));
    const double angle = 2 * std::numbers::pi * rng.uniform();
    to[i] = static_cast<float>(spread * radius * std::cos(angle));
  }
  return tensor;
}

}  // namespace nrs::learn
