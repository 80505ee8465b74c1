#include "learn/examples/samplers.h"

#include <algorithm>
#include <bit>
#include <cmath>

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

// How many pairs are in each group.
std::vector<std::size_t> group_sizes(const PairList& pairs) {
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto group = static_cast<std::size_t>(pairs.group(i));
    sizes.resize(std::max(sizes.size(), group + 1));
    ++sizes[group];
  }
  return sizes;
}

}  // namespace

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

LeafSampler::LeafSampler(const PairList& pairs, const recipe::TrainConfig& config)
    : config_(config), scale_(pairs.size(), 1.0F) {
  if (pairs.size() == 0) throw Error(ErrorKind::kInput, "there is no leaf to learn from");
  const std::vector<std::size_t> sizes = group_sizes(pairs);
  std::size_t largest = 0;  // of leaves
  for (std::size_t i = PairList::kFinalGroup + 1; i < sizes.size(); ++i) {
    largest = std::max(largest, sizes[i]);
  }
  std::vector<float> first(pairs.size(), 0.0F);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto size = static_cast<float>(sizes[static_cast<std::size_t>(pairs.group(i))]);
    if (pairs.omega(i)) {
      finals_.push_back(i);
    } else if (config.sampling == recipe::Sampling::kLoss) {
      scale_[i] = std::pow(static_cast<float>(largest) / size, static_cast<float>(config.balance));
      first[i] = scale_[i] * std::min(1.0F, kMostOfGroup / size);
    } else {  // uniform: every group is as likely as any other
      first[i] = 1 / size;
    }
  }
  if (finals_.size() == pairs.size()) {
    finals_per_batch_ = static_cast<std::size_t>(config.batch);
    return;
  }
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

void LeafSampler::restore(std::span<const float> state) {
  if (state.size() != weights_.size()) {
    throw Error(ErrorKind::kInput, "the checkpoint was made with other training leaves");
  }
  if (!state.empty()) weights_ = WeightTree(state);
}

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
