#pragma once
// What a trainer trains: a module with its examples, its loss and its measure.
#include <torch/nn/module.h>
#include <torch/types.h>

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "learn/train/score.h"
#include "learn/train/workers.h"

namespace nrs {

class TrainingTask {
 public:
  virtual ~TrainingTask() = default;

  // "selector" or "solver": the section of the recipe and the prefix of the tensors.
  virtual std::string_view name() const = 0;
  virtual torch::nn::Module& module() = 0;

  // A batch is computed in this many parts, side by side.
  virtual int parts() const { return 1; }
  // Draws the batch of a step. Law: it depends on the sampler and `step` only, never on what was
  // called before. That is what makes a resumed run equal to one that was never interrupted.
  virtual void draw(int step) = 0;
  // The loss of one part of that batch; undefined if the part is empty. The losses of all parts add
  // up to the mean over the batch. Called once for each part, by several threads at once.
  virtual torch::Tensor loss(int part) = 0;
  // After the optimiser has taken the step: the sampler may learn from the losses.
  virtual void after_step() {}

  // Measures the weights as they are. Asks `stop` now and then; nothing if it says so. Law: the
  // score does not depend on the number of workers.
  virtual std::optional<Score> validate(Workers& workers, const std::function<bool()>& stop) = 0;

  // What a checkpoint must keep besides weights and optimiser.
  virtual std::vector<float> sampler_state() const { return {}; }
  virtual void restore_sampler(const std::vector<float>& /*state*/) {}
};

}  // namespace nrs
