#include "runtime/running_model.h"

#include "nrs/error.h"
#include "rewrite/modular.h"

namespace nrs {

RunningModel::RunningModel(Model model, int threads, LeafWriterOptions writer)
    : model_(std::make_unique<const Model>(std::move(model))) {
  if (model_->router) {
    router_ = std::make_unique<ModelRouter>(*model_->router);
    return;
  }
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

void RunningModel::check_rewrites() const {
  if (!routes()) return;
  throw Error(
      ErrorKind::kUsage,
      "model '" + model_->name +
          "' is a Neural Data Router: it has no Selector and no Solver, and rewrites nothing",
      "its engine is ndr");
}

const ModelSolver& RunningModel::solver() const {
  check_rewrites();
  return *solver_;
}

const ModelRouter& RunningModel::router() const {
  if (router_) return *router_;
  throw Error(ErrorKind::kUsage,
              "model '" + model_->name + "' rewrites formulas: it is no Neural Data Router",
              std::string("its engine is ") + (writes() ? "nrs" : "fastnrs"));
}

std::vector<Result> RunningModel::run(std::span<const std::string_view> formulas,
                                      const RunOptions& options) const {
  if (router_) return router_->run(formulas, options.keep_rounds);
  return writes() ? Nrs(*leaf_writer_, *solver_).run(formulas, options)
                  : FastNrs(*selector_, *solver_).run(formulas, options);
}

const ModelSelector& RunningModel::selector() const {
  check_rewrites();
  if (selector_) return *selector_;
  throw Error(ErrorKind::kUsage,
              "model '" + model_->name + "' writes one leaf at a time and marks none",
              "its engine is nrs");
}

const ModelLeafWriter& RunningModel::leaf_writer() const {
  check_rewrites();
  if (leaf_writer_) return *leaf_writer_;
  throw Error(ErrorKind::kUsage, "model '" + model_->name + "' marks leaves and writes none",
              "its engine is fastnrs");
}

}  // namespace nrs
