#include "learn/train/solver_recipe.h"

#include <algorithm>
#include <cmath>

namespace nrs::learn {
namespace {

// Of one quiet core, with the sizes below: a step has a fixed cost and one for each character that
// is read or written.
constexpr double kSecondsPerStep = 0.004;
constexpr double kSecondsPerCharacter = 16e-6;
constexpr int kBatch = 128;
constexpr int kLeastSteps = 200;
constexpr int kMostSteps = 30'000;
// Pairs that must not be kept from a Solver that has few of them.
constexpr std::size_t kFewPairs = 200;

// Few pairs are soon known by heart; many need to be met, and products come late.
int wanted_steps(std::size_t pairs) {
  const double wanted = 120 * std::sqrt(static_cast<double>(pairs));
  return std::clamp(static_cast<int>(wanted), 10 * kLeastSteps, kMostSteps);
}

}  // namespace

recipe::Recipe solver_recipe(std::span<const data::TaughtPair> pairs,
                             const recipe::PairsOptions& options) {
  std::size_t longest_text = 1;
  std::size_t longest_value = 1;
  std::size_t characters = 0;
  for (const data::TaughtPair& pair : pairs) {
    const std::size_t value = pair.value ? pair.value->size() : 1;
    longest_text = std::max(longest_text, pair.text.size());
    longest_value = std::max(longest_value, value);
    characters += pair.text.size() + value + 1;
  }
  const double mean =
      static_cast<double>(characters) / static_cast<double>(std::max<std::size_t>(1, pairs.size()));
  const double second = kSecondsPerStep + kBatch * kSecondsPerCharacter * mean;
  const double affordable = std::min(60 * options.minutes / second, double{kMostSteps});
  recipe::Recipe made;
  made.name = "solver";
  made.seed = options.seed;
  made.threads = options.threads;
  made.data.pairs = options.pairs;
  made.data.held_out = pairs.size() < kFewPairs ? 0 : 0.1;
  recipe::RewritingSections& sections = made.of<recipe::RewritingSections>();
  sections.solver.encoder.max_positions = static_cast<int>(longest_text) + 1;
  sections.solver.encoder.dropout = 0.05;
  sections.solver.decoder.max_length = static_cast<int>(longest_value) + 2;
  recipe::TrainConfig& train = sections.train.solver;
  train.steps = std::clamp(static_cast<int>(affordable), kLeastSteps, wanted_steps(pairs.size()));
  train.batch = kBatch;
  train.weight_decay = 0.3;
  train.warmup = std::min(300, train.steps / 10);
  train.validate_every = std::max(50, train.steps / 30);
  train.patience = 3;
  sections.threshold.most_wrong = 0.001;
  return made;
}

}  // namespace nrs::learn
