#include "runtime/running_model.h"

#include "nrs/error.h"

namespace nrs {

RunningModel::RunningModel(Model model, int threads)
    : model_(std::make_unique<const Model>(std::move(model))) {
  for (const auto& [there, name] : {std::pair{model_->selector.has_value(), "Selector"},
                                    std::pair{model_->solver.has_value(), "Solver"}}) {
    if (there) continue;
    throw Error(ErrorKind::kInput,
                "model '" + model_->name + "' has no " + name + ": it cannot rewrite formulas",
                "train both modules into one file");
  }
  selector_ = std::make_unique<ModelSelector>(*model_->selector, SelectorOptions{threads});
  solver_ = std::make_unique<ModelSolver>(*model_->solver, SolverOptions{.threads = threads});
}

}  // namespace nrs
