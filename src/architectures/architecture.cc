#include "architectures/architecture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "model/model_file.h"
#include "nrs/error.h"

namespace nrs::architectures {
namespace {

std::vector<const Architecture*>& registered() {
  static std::vector<const Architecture*> all = {
      &fastnrs_architecture(),  &nrs_architecture(),      &ndr_architecture(),
      &compiled_architecture(), &patterns_architecture(), &rules_architecture(),
  };
  return all;
}

bool has_setting(const Architecture& architecture, std::string_view name) {
  return std::ranges::find(architecture.settings(), name, &EngineSetting::name) !=
         architecture.settings().end();
}

}  // namespace

std::optional<std::int64_t> RewriterOptions::setting(std::string_view name) const {
  const auto found = settings.find(name);
  return found == settings.end() ? std::nullopt : std::optional(found->second);
}

Compilable Architecture::compilable(const model::Model& /*model*/) const {
  return {.hindrance = fmt::format("its architecture is {}", name())};
}

CardNotes Architecture::card(const model::Model& /*model*/) const {
  return {.how = fmt::format("For each formula: {}.", purpose())};
}

std::span<const Architecture* const> all_architectures() {
  return registered();
}

void register_architecture(const Architecture& architecture) {
  registered().push_back(&architecture);
}

const Architecture& architecture_of(const model::Model& model) {
  std::vector<std::string_view> names;
  for (const Architecture* architecture : registered()) {
    const bool its = model.architecture.empty() ? architecture->recognises(model)
                                                : architecture->name() == model.architecture;
    if (its) return *architecture;
    names.push_back(architecture->name());
  }
  throw Error(ErrorKind::kInput,
              model.architecture.empty()
                  ? fmt::format("model '{}' has no known architecture", model.name)
                  : fmt::format("model '{}' has the unknown architecture '{}'", model.name,
                                excerpt(model.architecture)),
              fmt::format("this program has {}", fmt::join(names, ", ")));
}

void check_settings(const Architecture& architecture, const RewriterOptions& options) {
  for (const auto& [name, ignored] : options.settings) {
    if (has_setting(architecture, name)) continue;
    std::vector<std::string_view> others;
    for (const Architecture* other : registered()) {
      if (has_setting(*other, name)) others.push_back(other->name());
    }
    throw Error(ErrorKind::kUsage,
                fmt::format("architecture {} has no setting '{}'", architecture.name(), name),
                others.empty() ? "" : fmt::format("it is for {}", fmt::join(others, ", ")));
  }
}

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
