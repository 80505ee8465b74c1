// The Neural Data Router: the paper's baseline, which gives the value of a formula at once.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "architectures/architecture.h"
#include "model/json_config.h"
#include "model/networks.h"
#include "runtime/router.h"

namespace nrs::architectures {
namespace {

class NdrModel final : public Rewriter {
 public:
  explicit NdrModel(const model::Model& model) : model_(model::router_of(model)), router_(model_) {}

  std::vector<Result> run(std::span<const std::string_view> formulas,
                          const RunOptions& options) const override {
    return router_.run(formulas, options.keep_rounds);
  }
  void check(std::string_view formula) const override { model_.input.encode(formula); }
  std::vector<std::string> tokens() const override { return model_.input.tokens(); }

 private:
  model::RouterModel model_;
  runtime::ModelRouter router_;
};

class NdrArchitecture final : public Architecture {
 public:
  std::string_view name() const override { return "ndr"; }
  std::string_view purpose() const override { return "give the value at once, without steps"; }
  bool verifiable() const override { return false; }
  bool paper_formulas(const model::Model& /*model*/) const override { return true; }

  bool recognises(const model::Model& model) const override {
    return model.modules.size() == 1 && model.has(model::kRouterModule);
  }
  std::unique_ptr<const Rewriter> make_rewriter(const model::Model& model,
                                                const RewriterOptions& /*options*/) const override {
    return std::make_unique<NdrModel>(model);
  }

  nlohmann::ordered_json describe(const model::Model& model) const override {
    const model::RouterModel router = model::router_of(model);
    return {{"selector", nullptr},
            {"solver", nullptr},
            {"router",
             {{"parameters", model::count_parameters(model)},
              {"weight_bits", router.half ? 16 : 32},
              {"vocabulary", {{"input", router.input.size()}, {"output", router.output.size()}}},
              {"config", model::write_fields(router.config)}}}};
  }
  std::vector<InfoLine> summary(const model::Model& model) const override {
    const model::RouterModel router = model::router_of(model);
    const nn::RouterConfig& config = router.config;
    return {{"Router",
             fmt::format("{} parameters, {} tokens in, {} out, reads the value from {} column{}",
                         model::count_parameters(model), router.input.size(), router.output.size(),
                         config.columns, config.columns == 1 ? "" : "s")},
            {"", fmt::format("width {}, one layer used {} times, {} heads", config.dim,
                             config.layers_to_run(), config.heads)}};
  }
  CardNotes card(const model::Model& /*model*/) const override {
    return {.how =
                "One neural network, a Neural Data Router, reads the formula and gives its value "
                "at once. It is a baseline to compare with.",
            .limits = {"It takes no steps, so nobody can see how it found a value.",
                       "It has no threshold: nothing distinguishes wrong values from right ones. "
                       "Beyond the nesting that it was trained on, many are wrong.",
                       "It cannot be verified leaf by leaf."}};
  }
};

}  // namespace

const Architecture& ndr_architecture() {
  static const NdrArchitecture architecture;
  return architecture;
}

}  // namespace nrs::architectures
