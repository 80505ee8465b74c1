#include "learn/selector_task.h"

namespace nrs {
namespace {

enum Stream : std::uint64_t { kWeights = 1, kExamples, kDropout, kLabels, kValidation };

// Tokens in one forward pass of validation: enough to fill the matrix products, little memory.
constexpr std::int64_t kValidationTokens = 8192;
// Formulas from which the vocabulary is taken when tokens are longer than characters.
constexpr int kVocabularyDraws = 20'000;

Tokenizer make_tokenizer(const SelectorConfig& config, const ExampleSource& source,
                         std::uint64_t seed) {
  VocabularyBuilder builder{TokenRules(config.token_rules)};
  if (config.token_rules.empty()) {
    builder.add(source.alphabet());
    return builder.build(Specials::kInput);
  }
  Rng rng(seed, kExamples);
  for (int i = 0; i < kVocabularyDraws; ++i) builder.add(source.draw(rng).formula);
  // All atoms and leaves: an example that is drawn later must not have an unknown token.
  const SolverPairs pairs = source.pairs(seed);
  for (const PairList* list : {&pairs.train, &pairs.valid, &pairs.unseen}) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      builder.add(list->text(i));
      if (!list->omega(i)) builder.add(list->value(i));
    }
  }
  return builder.build(Specials::kInput);
}

}  // namespace

SelectorTask::SelectorTask(const Recipe& recipe, const ExampleSource& source)
    : source_(source),
      batch_(recipe.train.selector.batch),
      seed_(mix(static_cast<std::uint64_t>(recipe.seed), 1)),
      batcher_(recipe.selector, make_tokenizer(recipe.selector, source, seed_)),
      net_(std::make_shared<SelectorNet>(recipe.selector, batcher_.tokenizer().size(),
                                         mix(seed_, kWeights))),
      validation_(source.validation(recipe.data.valid_formulas, mix(seed_, kValidation))) {}

torch::Tensor SelectorTask::loss(int step) {
  const auto number = static_cast<std::uint64_t>(step);
  Rng examples(mix(seed_, kExamples), number);
  Rng labels(mix(seed_, kLabels), number);
  SelectorBatch batch;
  for (int i = 0; i < batch_; ++i) batcher_.add(source_.draw(examples), labels.next(), batch);
  const Pass pass{.training = true, .seed = mix(mix(seed_, kDropout), number)};
  return row_loss(net_->forward(batch.formulas, pass), batch.targets, batch.formulas.packing).mean;
}

std::optional<double> SelectorTask::exact(const std::vector<RewriteExample>& examples,
                                          const std::function<bool()>& stop) {
  std::size_t right = 0;
  for (std::size_t i = 0; i < examples.size();) {
    if (stop()) return std::nullopt;
    SelectorBatch batch;
    while (i < examples.size() && batch.formulas.packing.tokens() < kValidationTokens) {
      batcher_.add(examples[i], mix(seed_, i), batch);
      ++i;
    }
    const RowLoss loss =
        row_loss(net_->forward(batch.formulas), batch.targets, batch.formulas.packing);
    for (const char exact : loss.exact) right += exact != 0 ? 1 : 0;
  }
  return examples.empty() ? 1.0 : static_cast<double>(right) / static_cast<double>(examples.size());
}

std::optional<Score> SelectorTask::validate(const std::function<bool()>& stop) {
  const auto known = exact(validation_.known_levels, stop);
  if (!known) return std::nullopt;
  if (validation_.deeper_levels.empty()) return Score{.known = *known, .beyond = *known};
  const auto beyond = exact(validation_.deeper_levels, stop);
  if (!beyond) return std::nullopt;
  return Score{.known = *known, .beyond = *beyond};
}

}  // namespace nrs
