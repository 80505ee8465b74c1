#pragma once
// Adam over all parameters of a module at once, with clipping and a moving average of the weights.
#include <torch/nn/module.h>
#include <torch/types.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "recipe/train_config.h"

namespace nrs::learn {

// Thrown before a step that would spoil the weights. They are still those of the step before.
struct NonFinite : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Moves the parameters of a module into one buffer, so that a step is a few passes over memory
// instead of a few calls per parameter. N is the number of weights.
class FlatAdam {
 public:
  // The parameters of `module` become views of one buffer; it must outlive the optimiser. A step's
  // gradient is the sum of those of `parts`.
  FlatAdam(torch::nn::Module& module, const recipe::TrainConfig& config, int parts = 1);

  // Computes a part of the gradient of the next step; 0 if the loss is undefined. Several threads
  // may compute different parts at once.
  void differentiate(const torch::Tensor& loss, int part = 0);
  // Throws NonFinite, naming the parameter, if the gradient is not finite.
  // `rate` is the learning rate of this step, `step` counts from 1.
  void step(double rate, int step);

  // Everything a checkpoint needs, each [N].
  struct State {
    torch::Tensor weights;
    torch::Tensor average;
    torch::Tensor mean;
    torch::Tensor square;
  };
  const State& state() const { return state_; }
  void restore(const State& state);

  // Lets the module compute with the averaged weights (the weights themselves if there is no
  // average) while it lives.
  class Averaged {
   public:
    explicit Averaged(FlatAdam& optimiser)
        : optimiser_(optimiser), kept_(optimiser.state_.weights.clone()) {
      optimiser_.set_weights(optimiser_.result());
    }
    ~Averaged() { optimiser_.set_weights(kept_); }
    Averaged(const Averaged&) = delete;
    Averaged& operator=(const Averaged&) = delete;

   private:
    FlatAdam& optimiser_;
    torch::Tensor kept_;
  };
  // What Averaged shows, [N].
  const torch::Tensor& result() const {
    return config_.average > 0 ? state_.average : state_.weights;
  }
  void set_weights(const torch::Tensor& weights) { state_.weights.copy_(weights); }

 private:
  std::string worst_parameter(const torch::Tensor& gradient) const;

  recipe::TrainConfig config_;
  std::vector<std::string> names_;
  std::vector<torch::Tensor> parameters_;
  std::vector<std::int64_t> ends_;  // of each parameter in the buffers
  State state_;
  std::vector<torch::Tensor> gradients_;  // of each part, [N]
};

}  // namespace nrs::learn
