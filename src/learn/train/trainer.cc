#include "learn/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/status_line.h"
#include "learn/train/schedule.h"
#include "nrs/error.h"

namespace nrs::learn {
namespace {

bool told_to_stop(const TrainHooks& hooks) {
  return hooks.stop && hooks.stop();
}

}  // namespace

Trainer::Trainer(TrainingTask& task, const recipe::TrainConfig& config, Workers& workers)
    : task_(task),
      config_(config),
      workers_(workers),
      optimiser_(task.module(), config, task.parts()),
      best_(optimiser_.result().clone()) {}

void Trainer::restore(const TrainState& state, const FlatAdam::State& tensors,
                      const torch::Tensor& best) {
  state_ = state;
  optimiser_.restore(tensors);
  best_.copy_(best);
}

bool Trainer::ended() const {
  if (!state_.validated) return false;
  return state_.step >= config_.steps ||
         (config_.patience > 0 && state_.perfect >= config_.patience);
}

TrainEnd Trainer::run(const TrainHooks& hooks) {
  started_ = saved_ = Clock::now();
  first_step_ = state_.step;
  while (!ended()) {
    if (state_.validated) take_step(hooks);
    // A run that is stopped here, or inside of validate(), validates first when it goes on.
    if (told_to_stop(hooks) || (!state_.validated && !validate(hooks))) {
      checkpoint(hooks);
      return TrainEnd::kInterrupted;
    }
    if (seconds_since(saved_) >= hooks.checkpoint_seconds) checkpoint(hooks);
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

void Trainer::take_step(const TrainHooks& hooks) {
  const int step = state_.step + 1;
  const double rate = config_.rate * rate_factor(config_, step);
  double loss_value = 0;
  try {
    loss_value = differentiate(step);
    if (!std::isfinite(loss_value)) throw NonFinite("the loss is not finite");
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
  if (hooks.on_step) hooks.on_step(report(loss_value, rate));
}

StepReport Trainer::report(double loss, double rate) const {
  const double seconds = std::max(1e-9, seconds_since(started_));
  const double speed = (state_.step - first_step_) / seconds;
  return {.step = state_.step,
          .steps = config_.steps,
          .loss = loss,
          .rate = rate,
          .steps_per_second = speed,
          .seconds_left = (config_.steps - state_.step) / speed};
}

bool Trainer::validate(const TrainHooks& hooks) {
  std::optional<Score> score;
  {
    const FlatAdam::Averaged averaged(optimiser_);
    const torch::NoGradGuard no_grad;
    task_.module().eval();
    score = task_.validate(workers_, [&hooks] { return told_to_stop(hooks); });
    task_.module().train();
  }
  if (!score) return false;
  state_.validated = true;
  state_.perfect = score->perfect() ? state_.perfect + 1 : 0;
  // Of equally good ones the latest: its weights have been averaged for longest.
  if (state_.best_step == 0 || config_.keep == recipe::Keep::kLast ||
      score->at_least(state_.best)) {
    state_.best = *score;
    state_.best_step = state_.step;
    best_.copy_(optimiser_.result());
  }
  if (hooks.on_validation) hooks.on_validation(state_.step, *score);
  return true;
}

void Trainer::checkpoint(const TrainHooks& hooks) {
  if (hooks.on_checkpoint) hooks.on_checkpoint();
  saved_ = Clock::now();
}

}  // namespace nrs::learn
