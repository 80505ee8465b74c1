#pragma once
// The training loop of one module: steps, validation, early stop, checkpoints.
#include <torch/types.h>

#include <chrono>
#include <functional>
#include <optional>

#include "learn/train/optimiser.h"
#include "learn/train/training_task.h"
#include "recipe/train_config.h"

namespace nrs::learn {

// Where a training run of one module stands, apart from its tensors.
struct TrainState {
  int step = 0;           // done
  bool validated = true;  // the validation that is due at `step`, if one is, has been done
  int perfect = 0;        // perfect validations in a row
  int best_step = 0;      // whose weights are kept (Keep); 0: none yet
  Score best;
};

struct StepReport {
  int step = 0;
  int steps = 0;
  double loss = 0;
  double rate = 0;
  double steps_per_second = 0;
  double seconds_left = 0;
};

// How a run is watched and stopped. All may be empty.
struct TrainHooks {
  std::function<bool()> stop;  // asked after every step and during validation
  std::function<void(const StepReport&)> on_step;
  std::function<void(int step, const Score&)> on_validation;
  std::function<void()> on_checkpoint;  // called when one is due; must save or throw
  double checkpoint_seconds = 60;
};

enum class TrainEnd { kDone, kPerfect, kInterrupted };

class Trainer {
 public:
  // `task` and `workers` must outlive the trainer. The task's parameters move into the optimiser's
  // buffer. The number of workers changes no result.
  Trainer(TrainingTask& task, const recipe::TrainConfig& config, Workers& workers);

  // Goes on from the state until the last step, until validation has been perfect for long enough,
  // or until it is told to stop; in the last case on_checkpoint has been called, and run() may be
  // called again, here or after restore() elsewhere. Throws Error naming step and parameter before
  // a step with a loss or gradient that is not finite.
  TrainEnd run(const TrainHooks& hooks);

  // The state of a run, for checkpoints.
  const TrainState& state() const { return state_; }
  FlatAdam& optimiser() { return optimiser_; }
  // The weights of the best validation so far, or of the last one (Keep), [N].
  const torch::Tensor& best() const { return best_; }
  void restore(const TrainState& state, const FlatAdam::State& tensors, const torch::Tensor& best);

 private:
  using Clock = std::chrono::steady_clock;

  void take_step(const TrainHooks& hooks);
  // Computes the gradient of a step; returns the loss.
  double differentiate(int step);
  bool validate(const TrainHooks& hooks);
  bool ended() const;
  void checkpoint(const TrainHooks& hooks);
  StepReport report(double loss, double rate) const;

  TrainingTask& task_;
  recipe::TrainConfig config_;
  Workers& workers_;
  FlatAdam optimiser_;
  torch::Tensor best_;
  TrainState state_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point saved_ = Clock::now();
  int first_step_ = 0;  // of this run()
};

}  // namespace nrs::learn
