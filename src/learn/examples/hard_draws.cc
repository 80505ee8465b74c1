#include "learn/examples/hard_draws.h"

#include <algorithm>
#include <cmath>

#include "learn/examples/weight_tree.h"
#include "nrs/error.h"

namespace nrs {
namespace {

// Few enough that each comes again within some steps.
constexpr std::size_t kRemembered = 512;
// How much of its loss a draw keeps when a new one comes in.
constexpr float kLossMemory = 0.5f;

// A checkpoint keeps numbers as floats, which hold whole numbers of 24 bits exactly.
constexpr int kDigitBits = 24;
constexpr std::uint64_t kDigitMask = (std::uint64_t{1} << kDigitBits) - 1;
constexpr std::size_t kStatePerDraw = 3;  // two digits and the loss

}  // namespace

HardDraws::HardDraws(const TrainConfig& config) : config_(config) {}

std::vector<std::uint64_t> HardDraws::draw(Rng& rng) const {
  std::vector<std::uint64_t> drawn;
  if (worst_.empty()) return drawn;
  std::vector<float> weights;
  for (const Draw& one : worst_) weights.push_back(one.loss);
  const WeightTree tree(weights);
  const auto count = static_cast<std::size_t>(std::lround(kShare * config_.batch));
  while (drawn.size() < count) drawn.push_back(worst_[tree.draw(rng)].number);
  return drawn;
}

std::vector<std::uint64_t> HardDraws::batch(int step, Rng& rng) const {
  std::vector<std::uint64_t> numbers = draw(rng);
  const auto size = static_cast<std::uint64_t>(config_.batch);
  const std::uint64_t first = static_cast<std::uint64_t>(step) * size;
  for (std::uint64_t i = numbers.size(); i < size; ++i) numbers.push_back(first + i);
  return numbers;
}

void HardDraws::learn(std::span<const std::uint64_t> draws, std::span<const float> losses) {
  if (config_.sampling != Sampling::kLoss) return;
  for (std::size_t i = 0; i < draws.size(); ++i) {
    remember({.number = draws[i],
              .loss = std::clamp(losses[i], static_cast<float>(config_.least_weight),
                                 static_cast<float>(config_.most_weight))});
  }
}

void HardDraws::remember(Draw draw) {
  const auto known = std::find_if(worst_.begin(), worst_.end(),
                                  [&](const Draw& one) { return one.number == draw.number; });
  if (known != worst_.end()) {
    known->loss = kLossMemory * known->loss + (1 - kLossMemory) * draw.loss;
    return;
  }
  if (worst_.size() < kRemembered) {
    worst_.push_back(draw);
    return;
  }
  const auto easiest =
      std::min_element(worst_.begin(), worst_.end(),
                       [](const Draw& one, const Draw& other) { return one.loss < other.loss; });
  if (easiest->loss < draw.loss) *easiest = draw;
}

std::vector<float> HardDraws::state() const {
  std::vector<float> state;
  for (const Draw& one : worst_) {
    state.push_back(static_cast<float>(one.number >> kDigitBits));
    state.push_back(static_cast<float>(one.number & kDigitMask));
    state.push_back(one.loss);
  }
  return state;
}

void HardDraws::restore(std::span<const float> state) {
  if (state.size() % kStatePerDraw != 0 || state.size() > kRemembered * kStatePerDraw) {
    throw Error(ErrorKind::kInput, "the checkpoint's remembered draws are not whole");
  }
  worst_.clear();
  for (std::size_t i = 0; i < state.size(); i += kStatePerDraw) {
    const auto high = static_cast<std::uint64_t>(state[i]);
    worst_.push_back({.number = high << kDigitBits | static_cast<std::uint64_t>(state[i + 1]),
                      .loss = state[i + 2]});
  }
}

}  // namespace nrs
