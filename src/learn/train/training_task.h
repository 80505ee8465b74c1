#pragma once
// What a trainer trains: a module with its examples, its loss and its measure; and which there are.
#include <torch/nn/module.h>
#include <torch/types.h>

#include <compare>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "learn/examples/example_source.h"
#include "learn/train/workers.h"
#include "model/model_file.h"
#include "recipe/recipe.h"

namespace nrs::learn {

// Fractions of the validation examples that come out exactly right, from 0 to 1. The better one is
// better out of distribution: that is what the modules are for.
struct Score {
  double out_of_distribution = 0;  // deeper formulas, unseen leaves; if none, as in distribution
  double in_distribution = 0;

  bool perfect() const { return in_distribution >= 1 && out_of_distribution >= 1; }
  auto operator<=>(const Score&) const = default;
};

class TrainingTask {
 public:
  using Results = nlohmann::ordered_json;

  virtual ~TrainingTask() = default;

  // The section of the recipe and the prefix of the tensors: "selector".
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
  virtual void after_step() = 0;

  // Measures the weights as they are. Asks `stop` now and then; throws Stopped if it says so. Law:
  // the score does not depend on the number of workers.
  virtual Score validate(Workers& workers, const std::function<bool()>& stop) = 0;

  // What a checkpoint must keep besides weights and optimiser.
  virtual std::vector<float> sampler_state() const = 0;
  virtual void restore_sampler(const std::vector<float>& state) = 0;

  // Goes on from the weights of a model. False if it has none of the same sizes and tokens.
  virtual bool take_weights(const model::Model& /*model*/) { return false; }
  // What is to be known of the module once it is trained, besides its scores: an object. Throws
  // Stopped as validate().
  virtual Results measure(Workers& /*workers*/, const std::function<bool()>& /*stop*/) const {
    return Results::object();
  }
  // Puts the module into a model. `results` has what measure() said, now or before an interruption.
  virtual void export_to(model::Model& model, const Results& results) const = 0;
};

// The tasks that there are. A source must outlive its task.

// The Selector of a FastNRS: measured by formulas whose leaves are all marked exactly.
std::unique_ptr<TrainingTask> selector_task(const recipe::Recipe& recipe,
                                            const ExampleSource& source);
// The Selector of an NRS: measured by last leaves that are written exactly.
std::unique_ptr<TrainingTask> leaf_writer_task(const recipe::Recipe& recipe,
                                               const ExampleSource& source);
// A Solver: leaves drawn by their recent loss, measured by values that are exactly right.
std::unique_ptr<TrainingTask> solver_task(const recipe::Recipe& recipe, SolverPairs pairs);
// A Neural Data Router: measured by values that are exactly right.
std::unique_ptr<TrainingTask> router_task(const recipe::Recipe& recipe, const SolvedSource& source);

}  // namespace nrs::learn
