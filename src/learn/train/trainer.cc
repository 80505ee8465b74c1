#include "learn/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "base/clock.h"
#include "nrs/error.h"

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

Trainer::Trainer(TrainingTask& task, const recipe::TrainConfig& config, Workers& workers)
    : task_(task),
      config_(config),
      workers_(workers),
      optimiser_(task.module(), config, task.parts()),
      state_{.best_weights = optimiser_.result().clone()},
      progress_{.module = task.name(), .steps = config.steps} {}

void Trainer::restore(const TrainState& state, const FlatAdam::State& tensors) {
  if (state.best_weights.numel() != state_.best_weights.numel()) {
    throw Error(ErrorKind::kInput, "the checkpoint is of a module with another number of weights");
  }
  state_ = state;
  optimiser_.restore(tensors);
}

bool Trainer::ended() const {
  if (!state_.validated) return false;
  return state_.step >= config_.steps ||
         (config_.patience > 0 && state_.perfect >= config_.patience);
}

TrainEnd Trainer::run(const TrainWatch& watch, const Checkpoints& checkpoints) {
  started_ = Clock::now();
  first_step_ = state_.step;
  Clock::time_point saved = started_;
  try {
    while (!ended()) {
      if (state_.validated) take_step(watch);
      // A run that is stopped here, or inside of validate(), validates first when it goes on.
      if (watch.stop()) throw Stopped();
      if (!state_.validated) validate(watch);
      if (seconds_since(saved) >= checkpoints.seconds) {
        checkpoints.save();
        saved = Clock::now();
      }
    }
  } catch (const Stopped&) {
    checkpoints.save();
    return TrainEnd::kInterrupted;
  }
  return state_.step >= config_.steps ? TrainEnd::kDone : TrainEnd::kPerfect;
}

double Trainer::differentiate(int step) {
  task_.draw(step);
  std::vector<double> losses(static_cast<std::size_t>(task_.parts()));
  workers_.run(losses.size(), [&](std::size_t i) {
    const int part = static_cast<int>(i);
    const torch::Tensor loss = task_.loss(part);
    if (loss.defined()) losses[i] = loss.item<double>();
    optimiser_.differentiate(loss, part);
  });
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

void Trainer::take_step(const TrainWatch& watch) {
  const int step = state_.step + 1;
  const double rate = config_.rate * rate_factor(config_, step);
  try {
    progress_.loss = differentiate(step);
    if (!std::isfinite(progress_.loss)) throw NonFinite("the loss is not finite");
    optimiser_.step(rate, step);
  } catch (const NonFinite& error) {
    throw Error(
        ErrorKind::kIo,
        fmt::format("{}, step {}: {}; stopped before the step", task_.name(), step, error.what()),
        fmt::format("the last checkpoint is as it was; a lower rate may help, such as "
                    "train.{}.rate={:g}",
                    task_.name(), config_.rate / 2));
  }
  task_.after_step();
  state_.step = step;
  state_.validated = step % config_.validate_every != 0 && step != config_.steps;
  progress_.step = step;
  progress_.rate = rate;
  progress_.steps_per_second = (step - first_step_) / std::max(1e-9, seconds_since(started_));
  progress_.seconds_left = (config_.steps - step) / progress_.steps_per_second;
  watch.on_step(progress_);
}

void Trainer::validate(const TrainWatch& watch) {
  Score score;
  {
    const FlatAdam::Averaged averaged(optimiser_);
    const torch::NoGradGuard no_grad;
    score = task_.validate(workers_, watch.stop);
  }
  state_.validated = true;
  state_.perfect = score.perfect() ? state_.perfect + 1 : 0;
  // Of equally good ones the latest: its weights have been averaged for longest.
  if (state_.best_step == 0 || config_.keep == recipe::Keep::kLast || score >= state_.best) {
    state_.best = score;
    state_.best_step = state_.step;
    state_.best_weights = optimiser_.result().clone();
  }
  progress_.step = state_.step;
  progress_.in_distribution = score.in_distribution;
  progress_.out_of_distribution = score.out_of_distribution;
  watch.on_validation(progress_);
}

}  // namespace nrs::learn
