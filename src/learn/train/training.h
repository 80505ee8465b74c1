#pragma once
// How each architecture is trained. Nothing else in training asks which one a recipe is for.
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/rng.h"
#include "learn/examples/example_source.h"
#include "learn/train/training_task.h"
#include "recipe/recipe.h"

namespace nrs::learn {

// What is trained, and where warnings about the examples go.
struct TrainingPlan {
  const recipe::Recipe& recipe;  // must outlive the training
  std::function<bool(std::string_view module)> wants;
  std::function<void(const std::string&)> warn;
};

// The training of one model: has its examples, and makes the tasks of its modules.
class ModelTraining {
 public:
  virtual ~ModelTraining() = default;

  // `module` is one of Recipe::trained(). The training must outlive the task.
  virtual std::unique_ptr<ModuleTask> task(std::string_view module) = 0;
  // Identifies the examples of the tasks made so far. `before` is that of the model whose other
  // modules are kept, or empty.
  virtual std::string data_hash(const std::string& before) const = 0;
};

// A training of the recipe's architecture. Reads the examples. Throws Error: what is wrong with
// them is said now, not after the training of the first module.
std::unique_ptr<ModelTraining> make_training(const TrainingPlan& plan);

// The descriptors of the architectures; training.cc has the names that they are registered under.
std::unique_ptr<ModelTraining> train_fastnrs(const TrainingPlan& plan);
std::unique_ptr<ModelTraining> train_nrs(const TrainingPlan& plan);
std::unique_ptr<ModelTraining> train_ndr(const TrainingPlan& plan);

// A checksum of pairs and of some texts; drawn ones stand for all that are drawn on the fly.
std::string hash_of(const std::function<std::string(Rng&)>& draw, const PairList& pairs,
                    std::uint64_t seed);

}  // namespace nrs::learn
