#include "learn/examples/weight_tree.h"

#include <bit>
#include <cmath>

#include "nrs/error.h"

namespace nrs::learn {

WeightTree::WeightTree(std::span<const float> weights)
    : size_(weights.size()), leaves_(std::bit_ceil(weights.size())), sums_(2 * leaves_, 0.0) {
  for (std::size_t i = 0; i < size_; ++i) {
    if (!std::isfinite(weights[i]) || weights[i] < 0) {
      throw Error(ErrorKind::kInput, "sampling weights must be finite and not negative");
    }
    sums_[leaves_ + i] = weights[i];
  }
  for (std::size_t node = leaves_ - 1; node > 0; --node) {
    sums_[node] = sums_[2 * node] + sums_[2 * node + 1];
  }
  if (size_ == 0 || !(total() > 0)) throw Error(ErrorKind::kInput, "there is nothing to draw from");
}

void WeightTree::set(std::size_t item, float weight) {
  std::size_t node = leaves_ + item;
  sums_[node] = weight;
  for (node /= 2; node > 0; node /= 2) sums_[node] = sums_[2 * node] + sums_[2 * node + 1];
}

std::vector<float> WeightTree::weights() const {
  std::vector<float> all(size_);
  for (std::size_t i = 0; i < size_; ++i) all[i] = weight(i);
  return all;
}

std::size_t WeightTree::draw(Rng& rng) const {
  double at = rng.uniform() * total();
  std::size_t node = 1;
  while (node < leaves_) {
    node *= 2;
    // Rounding can leave `at` at the very end of a sum: never step into a part without weight.
    if (at >= sums_[node] && sums_[node + 1] > 0) {
      at -= sums_[node];
      ++node;
    }
  }
  return node - leaves_;
}

}  // namespace nrs::learn
