#include "runtime/running_model.h"

#include "nrs/error.h"

namespace nrs {

RunningModel::RunningModel(Model model, int threads, LeafWriterOptions writer)
    : model_(std::make_unique<const Model>(std::move(model))) {
  for (const auto& [there, name] : {std::pair{model_->selector.has_value(), "Selector"},
                                    std::pair{model_->solver.has_value(), "Solver"}}) {
    if (there) continue;
    throw Error(ErrorKind::kInput,
                "model '" + model_->name + "' has no " + name + ": it cannot rewrite formulas",
                "train both modules into one file");
  }
  if (model_->selector->config.writes()) {
    writer.threads = threads;
    leaf_writer_ = std::make_unique<ModelLeafWriter>(*model_->selector, writer);
  } else {
    selector_ = std::make_unique<ModelSelector>(*model_->selector, SelectorOptions{threads});
  }
  solver_ = std::make_unique<ModelSolver>(*model_->solver, SolverOptions{.threads = threads});
}

const ModelSelector& RunningModel::selector() const {
  if (selector_) return *selector_;
  throw Error(ErrorKind::kUsage,
              "model '" + model_->name + "' writes one leaf at a time and marks none",
              "run it with --engine nrs");
}

const ModelLeafWriter& RunningModel::leaf_writer() const {
  if (leaf_writer_) return *leaf_writer_;
  throw Error(ErrorKind::kUsage, "model '" + model_->name + "' marks leaves and writes none",
              "run it with --engine fastnrs");
}

}  // namespace nrs
