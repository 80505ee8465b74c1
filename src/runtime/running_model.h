#pragma once
// A model file, loaded and ready to rewrite formulas.
#include <filesystem>
#include <memory>

#include "model/model_file.h"
#include "nrs/engine.h"
#include "runtime/selector.h"
#include "runtime/solver.h"

namespace nrs {

// Const and thread-safe.
class RunningModel {
 public:
  // Throws Error (input) if the model has no Selector or no Solver. `threads` is for one call of
  // either module: more than 1 pays for long formulas and large batches.
  explicit RunningModel(Model model, int threads = 1);
  static RunningModel load(const std::filesystem::path& path, int threads = 1) {
    return RunningModel(load_model(path), threads);
  }

  const Model& model() const { return *model_; }
  const ModelSelector& selector() const { return *selector_; }
  const ModelSolver& solver() const { return *solver_; }
  // The threshold of the model, all else as given.
  EngineOptions calibrated(EngineOptions options = {}) const {
    options.min_log_prob = model_->solver->min_log_prob;
    return options;
  }

 private:
  // Apart, so that what refers to them may be moved.
  std::unique_ptr<const Model> model_;
  std::unique_ptr<const ModelSelector> selector_;
  std::unique_ptr<const ModelSolver> solver_;
};

}  // namespace nrs
