#include "learn/examples/samplers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nrs/error.h"

namespace nrs::learn {
namespace {

// How much of its weight an example keeps when a new loss comes in.
constexpr float kWeightMemory = 0.5f;

// Few enough that each comes again within some steps.
constexpr std::size_t kRememberedDraws = 512;

// A checkpoint keeps numbers as floats, which hold whole numbers of 24 bits exactly.
constexpr int kDigitBits = 24;
constexpr std::uint64_t kDigitMask = (std::uint64_t{1} << kDigitBits) - 1;
constexpr std::size_t kStatePerDraw = 3;  // two digits and the loss

float bounded(float loss, const recipe::TrainConfig& config) {
  return std::clamp(loss, static_cast<float>(config.least_weight),
                    static_cast<float>(config.most_weight));
}

// By loss, the leaves of a group start alike, and a group of a million does not drown the others
// until each of its leaves has been met: together they start with no more than this.
constexpr float kMostOfGroup = 40'000.0f;

// How many pairs are in the group of each pair.
std::vector<float> group_sizes(const PairList& pairs) {
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto group = static_cast<std::size_t>(pairs.group(i));
    sizes.resize(std::max(sizes.size(), group + 1));
    ++sizes[group];
  }
  std::vector<float> all(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    all[i] = static_cast<float>(sizes[static_cast<std::size_t>(pairs.group(i))]);
  }
  return all;
}

// Uniform means that every group is as likely as any other.
std::vector<float> first_weights(const PairList& pairs, const std::vector<float>& sizes,
                                 recipe::Sampling sampling) {
  std::vector<float> weights(pairs.size(), 0.0f);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs.omega(i)) continue;
    weights[i] = sampling == recipe::Sampling::kLoss ? std::min(1.0f, kMostOfGroup / sizes[i])
                                                     : 1.0f / sizes[i];
  }
  return weights;
}

// By loss: how much more the leaves of a small group weigh. 1 for the largest group of leaves.
std::vector<float> group_scales(const PairList& pairs, const std::vector<float>& sizes,
                                const recipe::TrainConfig& config) {
  std::vector<float> scales(pairs.size(), 1.0f);
  if (config.sampling != recipe::Sampling::kLoss || config.balance == 0) return scales;
  float largest = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!pairs.omega(i)) largest = std::max(largest, sizes[i]);
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!pairs.omega(i)) {
      scales[i] = std::pow(largest / sizes[i], static_cast<float>(config.balance));
    }
  }
  return scales;
}

}  // namespace

LeafSampler::LeafSampler(const PairList& pairs, const recipe::TrainConfig& config)
    : config_(config) {
  if (pairs.size() == 0) throw Error(ErrorKind::kInput, "there is no leaf to learn from");
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs.omega(i)) finals_.push_back(i);
  }
  const auto batch = static_cast<std::size_t>(config.batch);
  if (finals_.size() == pairs.size()) {
    finals_per_batch_ = batch;
    return;
  }
  const std::vector<float> sizes = group_sizes(pairs);
  scale_ = group_scales(pairs, sizes, config);
  std::vector<float> first = first_weights(pairs, sizes, config.sampling);
  for (std::size_t i = 0; i < first.size(); ++i) first[i] *= scale_[i];
  weights_ = WeightTree(first);
  if (!finals_.empty()) {
    finals_per_batch_ = static_cast<std::size_t>(std::lround(config.final_share * config.batch));
  }
}

std::vector<std::size_t> LeafSampler::batch(int /*step*/, Rng& rng) const {
  const auto batch = static_cast<std::size_t>(config_.batch);
  std::vector<std::size_t> drawn;
  for (std::size_t i = finals_per_batch_; i < batch; ++i) drawn.push_back(weights_.draw(rng));
  while (drawn.size() < batch) drawn.push_back(finals_[rng.below(finals_.size())]);
  return drawn;
}

void LeafSampler::learn(std::span<const std::size_t> drawn, std::span<const float> losses) {
  if (config_.sampling != recipe::Sampling::kLoss) return;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    if (weights_.size() == 0 || weights_.weight(drawn[i]) == 0) continue;  // final
    const float loss = bounded(losses[i], config_);
    weights_.set(drawn[i], scale_[drawn[i]] *
                               (kWeightMemory * weight(drawn[i]) + (1 - kWeightMemory) * loss));
  }
}

std::vector<std::size_t> LeafSampler::hardest(std::size_t count) const {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    if (weights_.weight(i) > 0) order.push_back(i);
  }
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(std::min(count, order.size()));
  std::partial_sort(order.begin(), middle, order.end(), [this](std::size_t a, std::size_t b) {
    const float left = weight(a);
    const float right = weight(b);
    return left != right ? left > right : a < b;
  });
  order.erase(middle, order.end());
  return order;
}

std::vector<float> LeafSampler::state() const {
  return weights_.weights();
}

void LeafSampler::restore(std::span<const float> state) {
  if (state.size() != weights_.size()) {
    throw Error(ErrorKind::kInput, "the checkpoint was made with other training leaves");
  }
  if (!state.empty()) weights_ = WeightTree(state);
}

HardDraws::HardDraws(const recipe::TrainConfig& config) : config_(config) {}

std::vector<std::size_t> HardDraws::draw(Rng& rng) const {
  std::vector<std::size_t> drawn;
  if (worst_.empty()) return drawn;
  std::vector<float> weights;
  for (const Draw& one : worst_) weights.push_back(one.loss);
  const WeightTree tree(weights);
  const auto count = static_cast<std::size_t>(std::lround(kShare * config_.batch));
  while (drawn.size() < count) drawn.push_back(worst_[tree.draw(rng)].number);
  return drawn;
}

std::vector<std::size_t> HardDraws::batch(int step, Rng& rng) const {
  std::vector<std::size_t> numbers = draw(rng);
  const auto size = static_cast<std::size_t>(config_.batch);
  const std::size_t first = static_cast<std::size_t>(step) * size;
  for (std::size_t i = numbers.size(); i < size; ++i) numbers.push_back(first + i);
  return numbers;
}

void HardDraws::learn(std::span<const std::size_t> draws, std::span<const float> losses) {
  if (config_.sampling != recipe::Sampling::kLoss) return;
  for (std::size_t i = 0; i < draws.size(); ++i) {
    remember({.number = draws[i], .loss = bounded(losses[i], config_)});
  }
}

void HardDraws::remember(Draw draw) {
  const auto known = std::find_if(worst_.begin(), worst_.end(),
                                  [&](const Draw& one) { return one.number == draw.number; });
  if (known != worst_.end()) {
    known->loss = kWeightMemory * known->loss + (1 - kWeightMemory) * draw.loss;
    return;
  }
  if (worst_.size() < kRememberedDraws) {
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
  if (state.size() % kStatePerDraw != 0 || state.size() > kRememberedDraws * kStatePerDraw) {
    throw Error(ErrorKind::kInput, "the checkpoint's remembered draws are incomplete");
  }
  worst_.clear();
  for (std::size_t i = 0; i < state.size(); i += kStatePerDraw) {
    const auto high = static_cast<std::size_t>(state[i]);
    worst_.push_back({.number = high << kDigitBits | static_cast<std::size_t>(state[i + 1]),
                      .loss = state[i + 2]});
  }
}

}  // namespace nrs::learn
