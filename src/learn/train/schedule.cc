#include "learn/train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace nrs::learn {
namespace {

// From 1 down to config.final_rate, when `done` goes from 0 to 1.
double decay_factor(const recipe::TrainConfig& config, double done) {
  switch (config.decay) {
    case recipe::Decay::kFlat:
      return 1;
    case recipe::Decay::kLinear:
      return 1 - (1 - config.final_rate) * done;
    case recipe::Decay::kCosine:
      return config.final_rate +
             (1 - config.final_rate) * 0.5 * (1 + std::cos(std::numbers::pi * done));
  }
  return 1;
}

}  // namespace

double rate_factor(const recipe::TrainConfig& config, int step) {
  if (step < config.warmup) {
    const double done = static_cast<double>(step) / config.warmup;
    return config.warmup_from + (1 - config.warmup_from) * done;
  }
  const double span =
      config.decay_steps > 0 ? config.decay_steps : config.decay_share * config.steps;
  if (span <= 0) return 1;
  const double begin = config.decay_steps > 0 ? config.warmup : config.steps - span;
  return decay_factor(config, std::clamp((step - begin) / span, 0.0, 1.0));
}

}  // namespace nrs::learn
