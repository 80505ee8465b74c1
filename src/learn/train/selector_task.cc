#include "learn/train/batched_task.h"
#include "learn/train/export.h"
#include "learn/train/module_tasks.h"
#include "model/networks.h"
#include "nn/tensor_names.h"

namespace nrs::learn {
namespace {

constexpr ModuleTraits kSelectorTraits{
    .name = "selector", .number = 1, .sampler_stream = 6, .pass_size = {PassSize::kTokens, 8192}};
constexpr std::uint64_t kValidationStream = 5;

class SelectorTask : public DrawnTask<SelectorBatch, ExampleSource, data::RewriteExample> {
 public:
  SelectorTask(const recipe::Recipe& recipe, const recipe::RewritingSections& sections,
               const ExampleSource& source)
      : DrawnTask(recipe, kSelectorTraits, sections.train.selector, kValidationStream, source),
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
  data::RewriteExample draw_example(std::size_t /*number*/, Rng& rng) const override {
    return source().draw(rng);
  }
  void add_example(const data::RewriteExample& example, std::uint64_t label_seed,
                   SelectorBatch& batch) const override {
    batcher_.add(example, label_seed, batch);
  }
  torch::Tensor logits(const SelectorBatch& batch, const Pass& pass) const override {
    return net_.forward(batch.formulas, pass);
  }

  SelectorBatcher batcher_;
  SelectorNet net_;
};

}  // namespace

std::unique_ptr<TrainingTask> selector_task(const recipe::Recipe& recipe,
                                            const ExampleSource& source) {
  return std::make_unique<SelectorTask>(recipe, recipe.of<recipe::RewritingSections>(), source);
}

}  // namespace nrs::learn
