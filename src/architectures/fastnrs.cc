// FastNRS: a Selector that marks all leaves at once, and a Solver.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "architectures/builtin.h"
#include "architectures/two_modules.h"
#include "runtime/selector.h"

namespace nrs::architectures {
namespace {

class FastNrsArchitecture final : public Architecture {
 public:
  std::string_view name() const override { return "fastnrs"; }
  std::string_view purpose() const override { return "rewrite all leaves in each round"; }

  bool recognises(const model::Model& model) const override {
    return has_two_modules(model, nn::SelectorKind::kSegment);
  }
  std::unique_ptr<const Rewriter> make_rewriter(const model::Model& model,
                                                const RewriterOptions& options) const override {
    require_two_modules(model);
    return std::make_unique<NetworkRewriter<rewrite::FastNrs, runtime::ModelSelector>>(
        model, runtime::SelectorOptions{.threads = options.threads}, solver_options(options));
  }

  Compilable compilable(const model::Model& model) const override {
    return compilable_networks(model);
  }

  nlohmann::ordered_json describe(const model::Model& model) const override {
    return describe_two_modules(model);
  }
  std::vector<InfoLine> summary(const model::Model& model) const override {
    return summarise_two_modules(model, [](const model::SelectorModel& selector) {
      return fmt::format("marks: {}", enum_name(selector.config.marks));
    });
  }
  CardNotes card(const model::Model& model) const override {
    return card_of_two_modules(
        model,
        "A *Selector* marks all leaves of the formula at once, and all are rewritten in "
        "each round (FastNRS).");
  }
};

}  // namespace

const Architecture& fastnrs_architecture() {
  static const FastNrsArchitecture architecture;
  return architecture;
}

}  // namespace nrs::architectures
