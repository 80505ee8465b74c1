#pragma once
// How each architecture is trained. Nothing else in training asks which one a recipe is for.
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "learn/train/train.h"
#include "learn/train/training_task.h"

namespace nrs::learn {

// The training of one model: has its examples, and makes the tasks of its modules.
class ModelTraining {
 public:
  virtual ~ModelTraining() = default;

  // `module` is one of Recipe::trained(). The training must outlive the task.
  virtual std::unique_ptr<TrainingTask> task(std::string_view module) = 0;
  // Identifies the examples of the tasks made so far. `before` is that of the model whose other
  // modules are kept, or empty.
  virtual std::string data_hash(const std::string& before) const = 0;
};

// A training of the recipe's architecture; the request must outlive it. Reads the examples. Throws
// Error: what is wrong with them is said now, not after the training of the first module. Warnings
// about them go to `warn`.
std::unique_ptr<ModelTraining> make_training(const TrainRequest& request,
                                             const std::function<void(const std::string&)>& warn);

}  // namespace nrs::learn
