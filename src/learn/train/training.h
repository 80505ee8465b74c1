#pragma once
// How each architecture is trained. Nothing else in training asks which one a recipe is for.
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/rng.h"
#include "learn/train/train.h"
#include "learn/train/training_task.h"

namespace nrs::learn {

// The training of one model: has its examples, and makes the tasks of its modules.
class ModelTraining {
 public:
  explicit ModelTraining(const recipe::Recipe& recipe) : recipe_(recipe) {}
  virtual ~ModelTraining() = default;

  // `module` is one of Recipe::trained(). The training must outlive the task.
  virtual std::unique_ptr<TrainingTask> task(std::string_view module) = 0;
  // Identifies the examples of the tasks made so far: the pairs of a Solver, and some texts.
  // `before` is that of the model whose other modules are kept, or empty.
  std::string data_hash(const std::string& before) const;

 protected:
  // A text as it is drawn on the fly.
  virtual std::string draw(Rng& rng) const = 0;
  std::unique_ptr<TrainingTask> task_of(SolverPairs pairs);

  const recipe::Recipe& recipe_;

 private:
  std::string hash_of(const PairList& pairs) const;

  std::string solver_hash_;  // once a Solver has its task
};

// A training of the recipe's architecture; the request must outlive it. Reads the examples. Throws
// Error: what is wrong with them is said now, not after the training of the first module. Warnings
// about them go to `warn`.
std::unique_ptr<ModelTraining> make_training(const TrainRequest& request,
                                             const std::function<void(const std::string&)>& warn);

}  // namespace nrs::learn
