// The tasks of the networks that only read: the Selector of a FastNRS, and the Neural Data Router.
#include "learn/nets/router_net.h"
#include "learn/train/batched_task.h"
#include "learn/train/export.h"
#include "model/networks.h"
#include "nn/tensor_names.h"

namespace nrs::learn {
namespace {

constexpr ModuleTraits kSelectorTraits{.name = "selector",
                                       .number = 1,
                                       .sampler_stream = 6,
                                       .validation_stream = 5,
                                       .pass_size = {PassSize::kTokens, 8192}};

class SelectorTask : public DrawnTask<ExampleSource, data::RewriteExample> {
 public:
  SelectorTask(const recipe::Recipe& recipe, const recipe::RewritingSections& sections,
               const ExampleSource& source)
      : DrawnTask(recipe, kSelectorTraits, sections.train.selector, source),
        batcher_(sections.selector,
                 formula_tokens(sections.selector, source, seed()).build(model::Specials::kInput)),
        net_(sections.selector, batcher_.tokenizer().size(), mix(seed(), kWeights)) {}

  SelectorNet& module() override { return net_; }

  void export_to(model::Model& model, const Results& /*results*/) const override {
    model.modules["selector"] = model::to_module(
        model::SelectorModel{.config = net_.config(),
                             .tokens = batcher_.tokenizer(),
                             .weights = export_weights(net_, nn::kSelectorPrefix)});
  }

 private:
  void add_example(const data::RewriteExample& example, std::uint64_t label_seed,
                   Batch& batch) const override {
    batcher_.add(example, label_seed, batch);
  }
  torch::Tensor logits(const Batch& batch, const Pass& pass) const override {
    return net_.forward(batch.read, pass);
  }

  SelectorBatcher batcher_;
  SelectorNet net_;
};

constexpr ModuleTraits kRouterTraits{.name = "router",
                                     .number = 3,
                                     .sampler_stream = 5,
                                     .validation_stream = 4,
                                     .pass_size = {PassSize::kTokens, 4096}};

RouterBatcher make_batcher(const nn::RouterConfig& config, const SolvedSource& source) {
  model::VocabularyBuilder formulas{model::TokenRules(config.token_rules)};
  model::VocabularyBuilder values{model::TokenRules(config.token_rules)};
  source.add_tokens(formulas, values);
  return {config, formulas.build(model::Specials::kInput), values.build(model::Specials::kOutput)};
}

class RouterTask : public DrawnTask<SolvedSource, SolvedFormula> {
 public:
  RouterTask(const recipe::Recipe& recipe, const recipe::RouterSections& sections,
             const SolvedSource& source)
      : DrawnTask(recipe, kRouterTraits, sections.train.router, source),
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
                   Batch& batch) const override {
    batcher_.add(example, batch);
  }
  torch::Tensor logits(const Batch& batch, const Pass& pass) const override {
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

std::unique_ptr<TrainingTask> selector_task(const recipe::Recipe& recipe,
                                            const ExampleSource& source) {
  return std::make_unique<SelectorTask>(recipe, recipe.of<recipe::RewritingSections>(), source);
}

std::unique_ptr<TrainingTask> router_task(const recipe::Recipe& recipe,
                                          const SolvedSource& source) {
  return std::make_unique<RouterTask>(recipe, recipe.of<recipe::RouterSections>(), source);
}

}  // namespace nrs::learn
