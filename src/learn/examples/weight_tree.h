#pragma once
// Draws from many items in proportion to weights that change all the time.
#include <cstddef>
#include <span>
#include <vector>

#include "base/rng.h"

namespace nrs::learn {

// A binary tree of sums: drawing and setting a weight cost O(log n).
// Law: what is drawn depends only on the weights and the generator, not on the order in which the
// weights were set. Every sum is made anew from its two halves, so no rounding error stays behind
// and a tree that is rebuilt from a checkpoint draws like the one that was saved.
class WeightTree {
 public:
  WeightTree() = default;
  // Weights must be finite and not negative, and one at least positive.
  explicit WeightTree(std::span<const float> weights);

  std::size_t size() const { return size_; }
  float weight(std::size_t item) const { return static_cast<float>(sums_[leaves_ + item]); }
  double total() const { return sums_[1]; }
  void set(std::size_t item, float weight);
  std::vector<float> weights() const;

  std::size_t draw(Rng& rng) const;

 private:
  std::size_t size_ = 0;
  std::size_t leaves_ = 0;    // a power of two, >= size_
  std::vector<double> sums_;  // node i has the children 2i and 2i + 1; the root is 1
};

}  // namespace nrs::learn
