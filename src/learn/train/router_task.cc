#include "learn/train/router_task.h"

#include "learn/train/export.h"
#include "model/networks.h"
#include "nn/tensor_names.h"

namespace nrs::learn {
namespace {

RouterBatcher make_batcher(const nn::RouterConfig& config, const SolvedSource& source) {
  model::VocabularyBuilder formulas{model::TokenRules(config.token_rules)};
  model::VocabularyBuilder values{model::TokenRules(config.token_rules)};
  source.add_tokens(formulas, values);
  return {config, formulas.build(model::Specials::kInput), values.build(model::Specials::kOutput)};
}

}  // namespace

RouterTask::RouterTask(const recipe::Recipe& recipe, const SolvedSource& source)
    : BatchedTask(recipe, kModule, kAgain, kPassSize,
                  HardDraws(recipe.of<recipe::RouterSections>().train.router)),
      sections_(recipe.of<recipe::RouterSections>()),
      source_(source),
      batcher_(make_batcher(sections_.router, source)),
      net_(std::make_shared<RouterNet>(sections_.router, batcher_.input().size(),
                                       batcher_.output().size(), mix(seed(), kWeights))),
      validation_(source.validation(recipe.data.valid_formulas, mix(seed(), kValidation))) {}

double RouterTask::progress(std::size_t draw) const {
  const recipe::TrainConfig& train = sections_.train.router;
  const double easy_draws = train.easy_first * train.steps * train.batch;
  return easy_draws == 0 ? 1 : static_cast<double>(draw) / easy_draws;
}

RouterTask::Examples RouterTask::examples(const std::vector<SolvedFormula>& list) const {
  return examples_of(list, [this](const auto& example, std::uint64_t, Batch& batch) {
    batcher_.add(example, batch);
  });
}

void RouterTask::add(std::size_t example, std::uint64_t /*label_seed*/, Batch& batch) const {
  Rng rng(mix(seed(), kExamples), example);
  batcher_.add(source_.draw(rng, progress(example)), batch);
}

torch::Tensor RouterTask::logits(const Batch& batch, const Pass& pass) const {
  return net_->forward(batch, pass);
}

void RouterTask::export_to(model::Model& model, const Results& /*results*/) const {
  model.modules["router"] =
      model::to_module(model::RouterModel{.config = sections_.router,
                                          .input = batcher_.input(),
                                          .output = batcher_.output(),
                                          .weights = export_weights(*net_, nn::kRouterPrefix)});
}

}  // namespace nrs::learn
