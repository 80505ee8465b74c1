#include "learn/train/leaf_writer_task.h"

#include "learn/train/export.h"
#include "learn/train/solver_task.h"
#include "learn/train/thresholds.h"
#include "model/networks.h"
#include "nn/tensor_names.h"

namespace nrs::learn {
namespace {

constexpr const char* kWindowThreshold = "window_threshold";

// Leaves are made of what formulas are made of.
SolverTokenizers make_tokenizers(const nn::SelectorConfig& config, const ExampleSource& source,
                                 std::uint64_t seed) {
  const model::VocabularyBuilder tokens = formula_tokens(config, source, seed);
  const model::Tokenizer output = tokens.build(model::Specials::kOutput);
  return {.input = config.writer.shared_vocabulary ? output : tokens.build(model::Specials::kInput),
          .output = output};
}

}  // namespace

LeafWriterTask::LeafWriterTask(const recipe::Recipe& recipe, const ExampleSource& source)
    : BatchedTask(recipe, kModule, kAgain, kPassSize,
                  HardDraws(recipe.of<recipe::RewritingSections>().train.selector)),
      sections_(recipe.of<recipe::RewritingSections>()),
      source_(source),
      batcher_(nn::writer_network(sections_.selector),
               make_tokenizers(sections_.selector, source, seed())),
      net_(std::make_shared<SolverNet>(nn::writer_network(sections_.selector),
                                       vocabulary_of(batcher_.tokenizers()),
                                       mix(seed(), kWeights))),
      validation_(source.validation(recipe.data.valid_formulas, mix(seed(), kValidation))) {}

LeafWriterTask::Examples LeafWriterTask::examples(
    const std::vector<data::RewriteExample>& list) const {
  return examples_of(list, [this](const auto& example, std::uint64_t seed, Batch& batch) {
    batcher_.add(example, seed, batch);
  });
}

void LeafWriterTask::add(std::size_t example, std::uint64_t label_seed, Batch& batch) const {
  Rng rng(mix(seed(), kExamples), example);
  batcher_.add(source_.draw(rng), label_seed, batch);
}

void LeafWriterTask::prepare(Batch& batch) const {
  if (!sections_.train.selector.teacher_forcing) write_own_prefixes(*net_, batch);
}

torch::Tensor LeafWriterTask::logits(const Batch& batch, const Pass& pass) const {
  return net_->forward(batch.read, batch.written, pass);
}

std::optional<ModuleTask::Results> LeafWriterTask::measure(
    Workers& workers, const std::function<bool()>& stop) const {
  std::vector<LengthConfidence> written;
  for (const Examples& examples : {in_distribution(), out_of_distribution()}) {
    const auto found = outcomes(examples, workers, stop);
    if (!found) return std::nullopt;
    for (const ExampleOutcome& outcome : *found)
      written.push_back({outcome.tokens, outcome.log_prob});
  }
  return Results{{kWindowThreshold, calibrate_windows(std::move(written), sections_.threshold)}};
}

void LeafWriterTask::export_to(model::Model& model, const Results& results) const {
  model.modules["selector"] = model::to_module(
      model::SelectorModel{.config = sections_.selector,
                           .tokens = batcher_.tokenizers().input,
                           .weights = export_weights(*net_, nn::kSelectorPrefix),
                           .output = batcher_.tokenizers().output,
                           .window_threshold = results.at(kWindowThreshold).get<int>()});
}

}  // namespace nrs::learn
