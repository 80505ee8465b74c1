#pragma once
// What a trainer trains: a module with its examples, its loss and its measure.
#include <torch/nn/module.h>
#include <torch/types.h>

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace nrs {

// Parts of the validation examples that come out exactly right, from 0 to 1.
struct Score {
  double known = 0;   // examples like those of the training (ID)
  double beyond = 0;  // deeper formulas, unseen leaves (OOD); the same as `known` if there are none

  bool perfect() const { return known >= 1 && beyond >= 1; }
  // Beyond what was trained first: that is what the modules are for.
  bool at_least(const Score& other) const {
    return beyond != other.beyond ? beyond > other.beyond : known >= other.known;
  }
};

class Task {
 public:
  virtual ~Task() = default;

  // "selector" or "solver": the section of the recipe and the prefix of the tensors.
  virtual std::string_view name() const = 0;
  virtual torch::nn::Module& module() = 0;

  // Law: depends on the weights, the sampler and `step` only, never on what was called before. That
  // is what makes a resumed run equal to one that was never interrupted.
  virtual torch::Tensor loss(int step) = 0;
  // After the optimiser has taken step `step`: the sampler may learn from the last loss.
  virtual void after_step() {}

  // Measures the weights as they are. Asks `stop` now and then; nothing if it says so.
  virtual std::optional<Score> validate(const std::function<bool()>& stop) = 0;

  // What a checkpoint must keep besides weights and optimiser.
  virtual std::vector<float> sampler_state() const { return {}; }
  virtual void restore_sampler(const std::vector<float>& /*state*/) {}
};

}  // namespace nrs
