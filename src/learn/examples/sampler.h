#pragma once
// Chooses the pairs of a Solver's batches: a fixed part final formulas, the others leaves, and of
// those the ones it still gets wrong most often.
#include <cstddef>
#include <span>
#include <vector>

#include "base/rng.h"
#include "learn/examples/pair_list.h"
#include "learn/examples/weight_tree.h"
#include "recipe/train_config.h"

namespace nrs {

class LeafSampler {
 public:
  // Throws Error (input) if there is no pair.
  LeafSampler(const PairList& pairs, const TrainConfig& config);

  // Numbers of pairs for one batch, with repetition.
  std::vector<std::size_t> draw(Rng& rng) const;
  // The loss that each pair of a batch had. A leaf's weight is the mean of its recent losses, kept
  // within [least_weight, most_weight]: no leaf is forgotten, none takes over. Where the recipe
  // says so, the least weight is larger for leaves of a rare shape, and all weights are larger in a
  // small group.
  void learn(std::span<const std::size_t> drawn, std::span<const float> losses);

  // The leaves with the largest weights, at most `count`.
  std::vector<std::size_t> hardest(std::size_t count) const;

  // For checkpoints: the weight of every pair; 0 for final formulas.
  std::vector<float> state() const;
  void restore(std::span<const float> state);

 private:
  // The weight of a leaf, whatever its group.
  float weight(std::size_t i) const { return weights_.weight(i) / scale_[i]; }

  TrainConfig config_;
  std::size_t finals_per_batch_ = 0;
  std::vector<std::size_t> finals_;
  WeightTree weights_;        // of all pairs; empty if all are final
  std::vector<float> least_;  // weight of each pair
  std::vector<float> scale_;  // of all weights of a pair, for its group
};

}  // namespace nrs
