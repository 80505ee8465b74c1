#pragma once
// A model file, loaded and ready to rewrite formulas.
#include <filesystem>
#include <memory>

#include "architectures/architecture.h"

namespace nrs {

// Const and thread-safe.
class RunningModel {
 public:
  // Throws Error: (input) if the model cannot be run, (usage) for settings that it does not have.
  explicit RunningModel(Model model, const RewriterOptions& options = {});
  static RunningModel load(const std::filesystem::path& path, const RewriterOptions& options = {}) {
    return RunningModel(load_model(path), options);
  }

  const Model& model() const { return model_; }
  const Architecture& architecture() const { return *architecture_; }
  const Rewriter& rewriter() const { return *rewriter_; }
  // Its modules. Throws Error (usage) if its Rewriter has none.
  const ModularRewriter& modular() const;

 private:
  Model model_;
  const Architecture* architecture_;
  std::unique_ptr<const Rewriter> rewriter_;
};

}  // namespace nrs
