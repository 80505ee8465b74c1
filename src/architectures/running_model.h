#pragma once
// A model file, loaded and ready to rewrite formulas.
#include <filesystem>
#include <memory>

#include "architectures/architecture.h"

namespace nrs::architectures {

// Const and thread-safe.
class RunningModel {
 public:
  // Throws Error: (input) if the model cannot be run, (usage) for settings that it does not have.
  explicit RunningModel(model::Model model, const RewriterOptions& options = {});
  // Modules in other files that are needed late, if at all, are not in model().
  static RunningModel load(const std::filesystem::path& path, const RewriterOptions& options = {});

  const model::Model& model() const { return model_; }
  const Architecture& architecture() const { return *architecture_; }
  const Rewriter& rewriter() const { return *rewriter_; }
  // Its modules. Throws Error (usage) if its Rewriter has none.
  const rewrite::ModularRewriter& modular() const;

 private:
  model::Model model_;
  const Architecture* architecture_;
  std::unique_ptr<const Rewriter> rewriter_;
};

}  // namespace nrs::architectures
