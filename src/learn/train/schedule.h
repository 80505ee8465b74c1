#pragma once
// How the learning rate changes over the steps of a training run.
#include "recipe/train_config.h"

namespace nrs::learn {

// The factor on the learning rate at step `step` of 1..config.steps: warm-up in proportion, then
// flat, then down as config.decay says. Depends on nothing else, so that a resumed run goes on as
// before.
double rate_factor(const recipe::TrainConfig& config, int step);

}  // namespace nrs::learn
