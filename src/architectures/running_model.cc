#include "architectures/running_model.h"

#include <fmt/format.h>

#include "model/model_file.h"
#include "nrs/error.h"

namespace nrs::architectures {

RunningModel::RunningModel(model::Model model, const RewriterOptions& options)
    : model_(std::move(model)), architecture_(&architecture_of(model_)) {
  check_settings(*architecture_, options);
  rewriter_ = architecture_->make_rewriter(model_, options);
}

RunningModel RunningModel::load(const std::filesystem::path& path, const RewriterOptions& options) {
  model::Model model = model::load_own_modules(path);
  const bool late = !model.architecture.empty() && architecture_of(model).reads_late();
  if (!late) model::load_shared(model, path);
  RewriterOptions with_file = options;
  with_file.file = path;
  return RunningModel(std::move(model), with_file);
}

const rewrite::ModularRewriter& RunningModel::modular() const {
  if (const rewrite::ModularRewriter* modular = rewriter_->modular()) return *modular;
  throw Error(ErrorKind::kUsage,
              fmt::format("model '{}' has no Selector and no Solver: its architecture is {}",
                          model_.name, architecture_->name()));
}

}  // namespace nrs::architectures
