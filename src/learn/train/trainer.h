#pragma once
// The training loop of one module: steps, validation, early stop, checkpoints.
#include <torch/types.h>

#include <chrono>
#include <functional>

#include "learn/train/optimiser.h"
#include "learn/train/train.h"
#include "learn/train/training_task.h"
#include "recipe/train_config.h"

namespace nrs::learn {

// Where a training run of one module stands, apart from its optimiser.
struct TrainState {
  int step = 0;           // done
  bool validated = true;  // the validation that is due at `step`, if one is, has been done
  int perfect = 0;        // perfect validations in a row
  int best_step = 0;      // whose weights are kept (Keep); 0: none yet
  Score best{};
  torch::Tensor best_weights{};  // [N]

  // All but the tensor. The scores have their first names.
  template <class Visitor>
  void visit(Visitor& v) {
    v("step", step, "");
    v("validated", validated, "");
    v("perfect", perfect, "");
    v("best_step", best_step, "");
    v("known", best.in_distribution, "");
    v("beyond", best.out_of_distribution, "");
  }
};

struct Checkpoints {
  std::function<void()> save = [] {};  // must save or throw
  double seconds = 60;                 // between two of them
};

// The factor on the learning rate at step `step` of 1..config.steps: warm-up in proportion, then
// flat, then down as config.decay says. Depends on nothing else, so that a resumed run goes on as
// before.
double rate_factor(const recipe::TrainConfig& config, int step);

enum class TrainEnd { kDone, kPerfect, kInterrupted };

class Trainer {
 public:
  // `task` and `workers` must outlive the trainer. The task's parameters move into the optimiser's
  // buffer. The number of workers changes no result.
  Trainer(TrainingTask& task, const recipe::TrainConfig& config, Workers& workers);

  // Goes on from the state until the last step, until validation has been perfect for long enough,
  // or until it is told to stop; in the last case a checkpoint has been saved, and run() may be
  // called again, here or after restore() elsewhere. Throws Error naming step and parameter before
  // a step with a loss or gradient that is not finite.
  TrainEnd run(const TrainWatch& watch, const Checkpoints& checkpoints = {});

  // The state of a run, for checkpoints.
  const TrainState& state() const { return state_; }
  FlatAdam& optimiser() { return optimiser_; }
  void restore(const TrainState& state, const FlatAdam::State& tensors);

 private:
  using Clock = std::chrono::steady_clock;

  void take_step(const TrainWatch& watch);
  // Computes the gradient of a step; returns the loss.
  double differentiate(int step);
  // Throws Stopped if told to stop.
  void validate(const TrainWatch& watch);
  bool ended() const;

  TrainingTask& task_;
  recipe::TrainConfig config_;
  Workers& workers_;
  FlatAdam optimiser_;
  TrainState state_;
  TrainingProgress progress_;
  Clock::time_point started_;
  int first_step_ = 0;  // of this run()
};

}  // namespace nrs::learn
