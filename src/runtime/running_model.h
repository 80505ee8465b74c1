#pragma once
// A model file, loaded and ready to rewrite formulas.
#include <filesystem>
#include <memory>

#include "model/model_file.h"
#include "nrs/rewriter.h"
#include "runtime/leaf_writer.h"
#include "runtime/router.h"
#include "runtime/selector.h"
#include "runtime/solver.h"

namespace nrs {

// Const and thread-safe.
class RunningModel {
 public:
  // Throws Error (input) if the model has no Selector or no Solver, unless it is a Neural Data
  // Router, which needs neither. `threads` is for one call of either module: more than 1 pays for
  // long formulas and large batches. `writer` is for a Selector that writes; its threads are these.
  explicit RunningModel(Model model, int threads = 1, LeafWriterOptions writer = {});
  static RunningModel load(const std::filesystem::path& path, int threads = 1,
                           LeafWriterOptions writer = {}) {
    return RunningModel(load_model(path), threads, writer);
  }

  const Model& model() const { return *model_; }
  // Whether its Selector writes the last leaf: then there is a leaf_writer() and no selector().
  bool writes() const { return leaf_writer_ != nullptr; }
  // Whether it is a Neural Data Router: then there is a router() and nothing else.
  bool routes() const { return router_ != nullptr; }
  // Throws Error (usage) if it is.
  void check_rewrites() const;
  // All throw Error (usage) if the model is of another kind.
  const ModelSelector& selector() const;
  const ModelLeafWriter& leaf_writer() const;
  const ModelSolver& solver() const;
  const ModelRouter& router() const;
  // The threshold of the model, all else as given.
  RunOptions calibrated(RunOptions options = {}) const {
    if (model_->solver) options.min_log_prob = model_->solver->min_log_prob;
    return options;
  }
  // Runs what the model is made for: NRS if its Selector writes, a router at once, else FastNRS.
  std::vector<Result> run(std::span<const std::string_view> formulas,
                          const RunOptions& options) const;
  // Of the formulas that it reads.
  const Tokenizer& tokens() const {
    return routes() ? model_->router->input : model_->selector->tokens;
  }
  // Throws Error (input, with the column) at a character that the model does not know.
  void check_known(std::string_view formula) const { tokens().encode(formula); }

 private:
  // Apart, so that what refers to them may be moved.
  std::unique_ptr<const Model> model_;
  std::unique_ptr<const ModelSelector> selector_;       // either this
  std::unique_ptr<const ModelLeafWriter> leaf_writer_;  // or this
  std::unique_ptr<const ModelSolver> solver_;
  std::unique_ptr<const ModelRouter> router_;  // or only this
};

}  // namespace nrs
