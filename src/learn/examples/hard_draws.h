#pragma once
// Brings back the training formulas that came out worst. They are drawn at random from a domain
// that has no list of its formulas, so one that is rare (a final formula of two characters) would
// not come again for a long time; a draw is known by its number, from which it can be repeated.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.h"
#include "recipe/train_config.h"

namespace nrs {

class HardDraws {
 public:
  // Of a batch, this part may be draws that come again.
  static constexpr double kShare = 0.25;

  // Nothing comes again if the configuration samples uniformly.
  explicit HardDraws(const TrainConfig& config);

  // Numbers of the draws of a step, a whole batch: some that come again, then new ones.
  std::vector<std::uint64_t> batch(int step, Rng& rng) const;
  // Numbers of earlier draws, with repetition, in proportion to their loss. None before the first
  // learn().
  std::vector<std::uint64_t> draw(Rng& rng) const;
  // The loss that each draw of a batch had, new ones and those that came again. Of all draws so far
  // the worst are remembered: a loss is the mean of the recent ones.
  void learn(std::span<const std::uint64_t> draws, std::span<const float> losses);

  // For checkpoints.
  std::vector<float> state() const;
  void restore(std::span<const float> state);

 private:
  struct Draw {
    std::uint64_t number = 0;
    float loss = 0;
  };

  void remember(Draw draw);

  TrainConfig config_;
  std::vector<Draw> worst_;  // in no order
};

}  // namespace nrs
