// FastNRS: a Selector that marks all leaves at once, and a Solver.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "architectures/builtin.h"
#include "architectures/two_modules.h"
#include "runtime/selector.h"

namespace nrs {
namespace {

class FastNrsArchitecture final : public Architecture {
 public:
  std::string_view name() const override { return "fastnrs"; }
  std::string_view purpose() const override { return "rewrite all leaves in each round"; }

  bool recognises(const Model& model) const override {
    return has_two_modules(model, SelectorKind::kSegment);
  }
  std::unique_ptr<const Rewriter> make_rewriter(const Model& model,
                                                const RewriterOptions& options) const override {
    require_two_modules(model);
    return std::make_unique<NetworkRewriter<FastNrs, ModelSelector>>(
        model, SelectorOptions{.threads = options.threads}, solver_options(options));
  }

  nlohmann::ordered_json describe(const Model& model) const override {
    return describe_two_modules(model);
  }
  std::vector<InfoLine> summary(const Model& model) const override {
    return summarise_two_modules(model, [](const SelectorModel& selector) {
      return fmt::format("marks: {}", enum_name(selector.config.marks));
    });
  }
};

}  // namespace

const Architecture& fastnrs_architecture() {
  static const FastNrsArchitecture architecture;
  return architecture;
}

}  // namespace nrs
