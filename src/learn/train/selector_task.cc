#include "learn/train/selector_task.h"

#include "learn/train/export.h"
#include "model/networks.h"
#include "nn/tensor_names.h"

namespace nrs::learn {

SelectorTask::SelectorTask(const recipe::Recipe& recipe, const ExampleSource& source)
    : BatchedTask(recipe, kModule, kAgain, kPassSize,
                  HardDraws(recipe.of<recipe::RewritingSections>().train.selector)),
      source_(source),
      batcher_(recipe.of<recipe::RewritingSections>().selector,
               formula_tokens(recipe.of<recipe::RewritingSections>().selector, source, seed())
                   .build(model::Specials::kInput)),
      net_(std::make_shared<SelectorNet>(recipe.of<recipe::RewritingSections>().selector,
                                         batcher_.tokenizer().size(), mix(seed(), kWeights))),
      validation_(source.validation(recipe.data.valid_formulas, mix(seed(), kValidation))) {}

SelectorTask::Examples SelectorTask::examples(const std::vector<data::RewriteExample>& list) const {
  return examples_of(list, [this](const auto& example, std::uint64_t seed, Batch& batch) {
    batcher_.add(example, seed, batch);
  });
}

void SelectorTask::add(std::size_t example, std::uint64_t label_seed, Batch& batch) const {
  Rng rng(mix(seed(), kExamples), example);
  batcher_.add(source_.draw(rng), label_seed, batch);
}

torch::Tensor SelectorTask::logits(const Batch& batch, const Pass& pass) const {
  return net_->forward(batch.read, pass);
}

void SelectorTask::export_to(model::Model& model, const Results& /*results*/) const {
  model.modules["selector"] =
      model::to_module(model::SelectorModel{.config = net_->config(),
                                            .tokens = batcher_.tokenizer(),
                                            .weights = export_weights(*net_, nn::kSelectorPrefix)});
}

}  // namespace nrs::learn
