#pragma once
// Choose the examples of training batches, by their numbers: those that come out wrong more often
// than the others. A sampler of a task (learn/train/batched_task.h) has
//   batch(step, rng)      the examples of a step
//   learn(drawn, losses)  what came of them
//   state(), restore()    for checkpoints
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.h"
#include "learn/examples/example_source.h"
#include "recipe/train_config.h"

namespace nrs::learn {

// Draws from many items in proportion to weights that change all the time. A binary tree of sums:
// drawing and setting a weight cost O(log n).
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

// For a Solver's list of pairs: a fixed fraction of a batch is final formulas, the rest is leaves.
class LeafSampler {
 public:
  // Throws Error (input) if there is no pair.
  LeafSampler(const PairList& pairs, const recipe::TrainConfig& config);

  // Numbers of pairs, with repetition.
  std::vector<std::size_t> batch(int step, Rng& rng) const;
  // The loss that each pair of a batch had. A leaf's weight is the mean of its recent losses, kept
  // within [least_weight, most_weight]: no leaf is forgotten, none takes over. Where the recipe
  // says so, all weights are larger in a small group.
  void learn(std::span<const std::size_t> drawn, std::span<const float> losses);

  // The leaves with the largest weights, at most `count`.
  std::vector<std::size_t> hardest(std::size_t count) const;

  // For checkpoints: the weight of every pair; 0 for final formulas.
  std::vector<float> state() const { return weights_.weights(); }
  void restore(std::span<const float> state);

 private:
  // The weight of a leaf, whatever its group.
  float weight(std::size_t i) const { return weights_.weight(i) / scale_[i]; }

  recipe::TrainConfig config_;
  std::size_t finals_per_batch_ = 0;
  std::vector<std::size_t> finals_;
  WeightTree weights_;        // of all pairs; empty if all are final
  std::vector<float> scale_;  // of all weights of a pair, for its group
};

// For formulas that are drawn at random from a domain, which has no list of them. One that is rare
// (a final formula of two characters) would not come again for a long time; so the training
// formulas that came out worst are brought back. A draw is known by its number, from which it can
// be repeated.
class HardDraws {
 public:
  // The fraction of a batch that may be draws that come again.
  static constexpr double kShare = 0.25;

  // Nothing comes again if the configuration samples uniformly.
  explicit HardDraws(const recipe::TrainConfig& config) : config_(config) {}

  // Numbers of the draws of a step, a whole batch: some that come again, then new ones.
  std::vector<std::size_t> batch(int step, Rng& rng) const;
  // Numbers of earlier draws, with repetition, in proportion to their loss. None before the first
  // learn().
  std::vector<std::size_t> draw(Rng& rng) const;
  // The loss that each draw of a batch had, new ones and those that came again. Of all draws so far
  // the worst are remembered: a loss is the mean of the recent ones.
  void learn(std::span<const std::size_t> draws, std::span<const float> losses);

  // For checkpoints.
  std::vector<float> state() const;
  void restore(std::span<const float> state);

 private:
  struct Draw {
    std::size_t number = 0;
    float loss = 0;
  };

  void remember(Draw draw);

  recipe::TrainConfig config_;
  std::vector<Draw> worst_;  // in no order
};

}  // namespace nrs::learn
