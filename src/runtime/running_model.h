#pragma once
// A model file, loaded and ready to rewrite formulas.
#include <filesystem>
#include <memory>

#include "model/model_file.h"
#include "nrs/engine.h"
#include "runtime/leaf_writer.h"
#include "runtime/selector.h"
#include "runtime/solver.h"

namespace nrs {

// Const and thread-safe.
class RunningModel {
 public:
  // Throws Error (input) if the model has no Selector or no Solver. `threads` is for one call of
  // either module: more than 1 pays for long formulas and large batches. `writer` is for a Selector
  // that writes; its threads are these.
  explicit RunningModel(Model model, int threads = 1, LeafWriterOptions writer = {});
  static RunningModel load(const std::filesystem::path& path, int threads = 1,
                           LeafWriterOptions writer = {}) {
    return RunningModel(load_model(path), threads, writer);
  }

  const Model& model() const { return *model_; }
  // Whether its Selector writes the last leaf: then there is a leaf_writer() and no selector().
  bool writes() const { return leaf_writer_ != nullptr; }
  // Both throw Error (usage) if the model has the other kind.
  const ModelSelector& selector() const;
  const ModelLeafWriter& leaf_writer() const;
  const ModelSolver& solver() const { return *solver_; }
  // The threshold of the model, all else as given.
  EngineOptions calibrated(EngineOptions options = {}) const {
    options.min_log_prob = model_->solver->min_log_prob;
    return options;
  }
  // The engine that the model is made for: NRS if its Selector writes, else FastNRS. The model must
  // outlive it.
  Engine engine(const EngineOptions& options) const {
    return writes() ? Engine(*leaf_writer_, *solver_, options)
                    : Engine(*selector_, *solver_, options);
  }
  // Throws Error (input, with the column) at a character that the Selector does not know.
  void check_known(std::string_view formula) const { model_->selector->tokens.encode(formula); }

 private:
  // Apart, so that what refers to them may be moved.
  std::unique_ptr<const Model> model_;
  std::unique_ptr<const ModelSelector> selector_;       // either this
  std::unique_ptr<const ModelLeafWriter> leaf_writer_;  // or this
  std::unique_ptr<const ModelSolver> solver_;
};

}  // namespace nrs
