#include "learn/train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace nrs {
namespace {

// From 1 down to config.final_rate, when `done` goes from 0 to 1.
double decay_factor(const TrainConfig& config, double done) {
  switch (config.decay) {
    case Decay::kFlat:
      return 1;
    case Decay::kLinear:
      return 1 - (1 - config.final_rate) * done;
    case Decay::kCosine:
      return config.final_rate +
             (1 - config.final_rate) * 0.5 * (1 + std::cos(std::numbers::pi * done));
  }
  return 1;
}

// Each part of a run between two restarts is a whole schedule.
struct Leg {
  int step = 0;
  int steps = 0;
};

Leg leg_of(const TrainConfig& config, int step) {
  int begin = 0, end = config.steps;
  for (const int restart : config.restart_at) {
    if (restart < step) begin = std::max(begin, restart);
    if (restart >= step) end = std::min(end, restart);
  }
  return {step - begin, end - begin};
}

}  // namespace

double rate_factor(const TrainConfig& config, int step) {
  const Leg leg = leg_of(config, step);
  if (leg.step < config.warmup) {
    const double done = static_cast<double>(leg.step) / config.warmup;
    return config.warmup_from + (1 - config.warmup_from) * done;
  }
  const double span = config.decay_steps > 0 ? config.decay_steps : config.decay_share * leg.steps;
  if (span <= 0) return 1;
  const double begin = config.decay_steps > 0 ? config.warmup : leg.steps - span;
  return decay_factor(config, std::clamp((leg.step - begin) / span, 0.0, 1.0));
}

}  // namespace nrs
