#include "learn/train/leaf_writer_task.h"

#include <torch/autograd.h>

#include <algorithm>
#include <iterator>

#include "learn/examples/vocabulary.h"

namespace nrs {
namespace {

// Formulas in one forward pass of validation.
constexpr std::size_t kFormulasPerPass = 64;

// Leaves are made of what formulas are made of.
SolverTokenizers make_tokenizers(const SelectorConfig& config, const ExampleSource& source,
                                 std::uint64_t seed) {
  const VocabularyBuilder tokens = formula_tokens(config, source, seed);
  const Tokenizer output = tokens.build(Specials::kOutput);
  return {.input = config.writer.shared_vocabulary ? output : tokens.build(Specials::kInput),
          .output = output};
}

double share_exact(const std::vector<LeafWriterTask::Outcome>& outcomes) {
  if (outcomes.empty()) return 1;
  const auto right =
      std::count_if(outcomes.begin(), outcomes.end(), [](const auto& one) { return one.exact; });
  return static_cast<double>(right) / static_cast<double>(outcomes.size());
}

}  // namespace

LeafWriterTask::LeafWriterTask(const Recipe& recipe, const ExampleSource& source)
    : source_(source),
      config_(recipe.train.selector),
      parts_(recipe.parts),
      seed_(mix(static_cast<std::uint64_t>(recipe.seed), 1)),
      batcher_(writer_network(recipe.selector), make_tokenizers(recipe.selector, source, seed_)),
      net_(std::make_shared<SolverNet>(writer_network(recipe.selector),
                                       SolverVocabulary{.input = tokenizers().input.size(),
                                                        .output = tokenizers().output.size()},
                                       mix(seed_, kWeights))),
      validation_(source.validation(recipe.data.valid_formulas, mix(seed_, kValidation))),
      hard_(recipe.train.selector) {}

void LeafWriterTask::draw(int step) {
  const auto number = static_cast<std::uint64_t>(step);
  Rng again(mix(seed_, kAgain), number);
  draws_ = hard_.batch(step, again);
  Rng labels(mix(seed_, kLabels), number);
  SolverBatch batch;
  for (const std::uint64_t one : draws_) {
    Rng examples(mix(seed_, kExamples), one);
    batcher_.add(source_.draw(examples), labels.next(), batch);
  }
  step_ = step;
  batch_.set(batch, parts_);
}

void LeafWriterTask::after_step() {
  hard_.learn(draws_, batch_.row_losses());
}

torch::Tensor LeafWriterTask::loss(int part) {
  return batch_.loss(*net_, part, config_.teacher_forcing,
                     mix(mix(seed_, kDropout), static_cast<std::uint64_t>(step_)));
}

std::optional<std::vector<LeafWriterTask::Outcome>> LeafWriterTask::outcomes(
    const std::vector<RewriteExample>& examples, Workers& workers,
    const std::function<bool()>& stop) const {
  std::vector<Outcome> outcomes(examples.size());
  const std::size_t pieces = (examples.size() + kFormulasPerPass - 1) / kFormulasPerPass;
  const bool whole = workers.run_unless(stop, pieces, [&](std::size_t piece) {
    const torch::NoGradGuard no_grad;
    const std::size_t begin = piece * kFormulasPerPass;
    const std::size_t count = std::min(kFormulasPerPass, examples.size() - begin);
    SolverBatch batch;
    for (std::size_t i = begin; i < begin + count; ++i) {
      batcher_.add(examples[i], mix(seed_, i), batch);
    }
    // With the right prefix every symbol is the likeliest if and only if greedy writing is right.
    const RowLoss loss =
        row_loss(net_->forward(batch.leaves, batch.written), batch.targets, batch.written.packing);
    for (std::size_t i = 0; i < count; ++i) {
      const auto row = static_cast<std::int64_t>(i);
      outcomes[begin + i] = {.tokens = static_cast<std::size_t>(batch.leaves.packing.length(row)),
                             .exact = loss.exact[i] != 0,
                             .log_prob = -double{loss.rows[i]}};
    }
  });
  if (!whole) return std::nullopt;
  return outcomes;
}

std::optional<std::vector<LeafWriterTask::Outcome>> LeafWriterTask::outcomes(
    Workers& workers, const std::function<bool()>& stop) const {
  auto all = outcomes(validation_.known_levels, workers, stop);
  const auto deeper = outcomes(validation_.deeper_levels, workers, stop);
  if (!all || !deeper) return std::nullopt;
  std::copy(deeper->begin(), deeper->end(), std::back_inserter(*all));
  return all;
}

std::optional<Score> LeafWriterTask::validate(Workers& workers, const std::function<bool()>& stop) {
  return score_levels(validation_, [&](const auto& examples) -> std::optional<double> {
    const auto all = outcomes(examples, workers, stop);
    if (!all) return std::nullopt;
    return share_exact(*all);
  });
}

}  // namespace nrs
