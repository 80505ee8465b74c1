#include "learn/nets/router_net.h"
#include "learn/train/batched_task.h"
#include "learn/train/export.h"
#include "learn/train/module_tasks.h"
#include "model/networks.h"
#include "nn/tensor_names.h"

namespace nrs::learn {
namespace {

constexpr ModuleTraits kRouterTraits{
    .name = "router", .number = 3, .sampler_stream = 5, .pass_size = {PassSize::kTokens, 4096}};
constexpr std::uint64_t kRouterValidation = 4;

RouterBatcher make_batcher(const nn::RouterConfig& config, const SolvedSource& source) {
  model::VocabularyBuilder formulas{model::TokenRules(config.token_rules)};
  model::VocabularyBuilder values{model::TokenRules(config.token_rules)};
  source.add_tokens(formulas, values);
  return {config, formulas.build(model::Specials::kInput), values.build(model::Specials::kOutput)};
}

class RouterTask : public DrawnTask<RouterBatch, SolvedSource, SolvedFormula> {
 public:
  RouterTask(const recipe::Recipe& recipe, const recipe::RouterSections& sections,
             const SolvedSource& source)
      : DrawnTask(recipe, kRouterTraits, sections.train.router, kRouterValidation, source),
        config_(sections.train.router),
        batcher_(make_batcher(sections.router, source)),
        net_(sections.router, batcher_.input().size(), batcher_.output().size(),
             mix(seed(), kWeights)) {}

  RouterNet& module() override { return net_; }

  void export_to(model::Model& model, const Results& /*results*/) const override {
    model.modules["router"] =
        model::to_module(model::RouterModel{.config = net_.config(),
                                            .input = batcher_.input(),
                                            .output = batcher_.output(),
                                            .weights = export_weights(net_, nn::kRouterPrefix)});
  }

 private:
  SolvedFormula draw_example(std::size_t number, Rng& rng) const override {
    return source().draw(rng, progress(number));
  }
  void add_example(const SolvedFormula& example, std::uint64_t /*label_seed*/,
                   RouterBatch& batch) const override {
    batcher_.add(example, batch);
  }
  torch::Tensor logits(const RouterBatch& batch, const Pass& pass) const override {
    return net_.forward(batch, pass);
  }

  // The fraction of the easy steps that was over when this draw was first made; by its number, so
  // that it is the same formula when it comes again.
  double progress(std::size_t draw) const {
    const double easy_draws = config_.easy_first * config_.steps * config_.batch;
    return easy_draws == 0 ? 1 : static_cast<double>(draw) / easy_draws;
  }

  recipe::TrainConfig config_;
  RouterBatcher batcher_;
  RouterNet net_;
};

}  // namespace

std::unique_ptr<TrainingTask> router_task(const recipe::Recipe& recipe,
                                          const SolvedSource& source) {
  return std::make_unique<RouterTask>(recipe, recipe.of<recipe::RouterSections>(), source);
}

}  // namespace nrs::learn
