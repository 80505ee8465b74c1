#include "learn/train/selector_task.h"

#include <algorithm>
#include <numeric>

#include "learn/examples/split.h"
#include "learn/examples/vocabulary.h"

namespace nrs {
namespace {

// Tokens in one forward pass of validation: enough to fill the matrix products, little memory.
constexpr std::int64_t kValidationTokens = 8192;
}  // namespace

SelectorTask::SelectorTask(const Recipe& recipe, const ExampleSource& source)
    : source_(source),
      parts_(recipe.parts),
      seed_(mix(static_cast<std::uint64_t>(recipe.seed), 1)),
      batcher_(recipe.selector,
               formula_tokens(recipe.selector, source, seed_).build(Specials::kInput)),
      net_(std::make_shared<SelectorNet>(recipe.selector, batcher_.tokenizer().size(),
                                         mix(seed_, kWeights))),
      validation_(source.validation(recipe.data.valid_formulas, mix(seed_, kValidation))),
      hard_(recipe.train.selector) {}

void SelectorTask::draw(int step) {
  const auto number = static_cast<std::uint64_t>(step);
  Rng again(mix(seed_, kAgain), number);
  draws_ = hard_.batch(step, again);
  Rng labels(mix(seed_, kLabels), number);
  SelectorBatch batch;
  for (const std::uint64_t one : draws_) {
    Rng examples(mix(seed_, kExamples), one);
    batcher_.add(source_.draw(examples), labels.next(), batch);
  }
  step_ = step;
  drawn_tokens_ = batch.formulas.packing.tokens();
  drawn_ = split(batch, parts_);
  losses_.assign(drawn_.size(), {});
}

torch::Tensor SelectorTask::loss(int part) {
  const SelectorBatch& batch = drawn_[static_cast<std::size_t>(part)];
  const std::int64_t tokens = batch.formulas.packing.tokens();
  if (tokens == 0) return {};
  const Pass pass{.training = true,
                  .seed = mix(mix(seed_, kDropout), static_cast<std::uint64_t>(step_))};
  RowLoss loss =
      row_loss(net_->forward(batch.formulas, pass), batch.targets, batch.formulas.packing);
  losses_[static_cast<std::size_t>(part)] = std::move(loss.rows);
  return loss.mean * (static_cast<double>(tokens) / static_cast<double>(drawn_tokens_));
}

void SelectorTask::after_step() {
  hard_.learn(draws_, joined(losses_));
}

std::vector<SelectorBatch> SelectorTask::pieces_of(
    const std::vector<RewriteExample>& examples) const {
  std::vector<SelectorBatch> pieces;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (pieces.empty() || pieces.back().formulas.packing.tokens() >= kValidationTokens) {
      pieces.emplace_back();
    }
    batcher_.add(examples[i], mix(seed_, i), pieces.back());
  }
  return pieces;
}

std::optional<double> SelectorTask::exact(const std::vector<RewriteExample>& examples,
                                          Workers& workers,
                                          const std::function<bool()>& stop) const {
  if (examples.empty()) return 1.0;
  const std::vector<SelectorBatch> pieces = pieces_of(examples);
  std::vector<std::int64_t> right(pieces.size());
  const bool whole = workers.run_unless(stop, pieces.size(), [&](std::size_t i) {
    const TokenRows& formulas = pieces[i].formulas;
    const RowLoss loss = row_loss(net_->forward(formulas), pieces[i].targets, formulas.packing);
    right[i] = std::count(loss.exact.begin(), loss.exact.end(), 1);
  });
  if (!whole) return std::nullopt;
  const auto sum = std::accumulate(right.begin(), right.end(), std::int64_t{0});
  return static_cast<double>(sum) / static_cast<double>(examples.size());
}

std::optional<Score> SelectorTask::validate(Workers& workers, const std::function<bool()>& stop) {
  return score_levels(validation_,
                      [&](const auto& examples) { return exact(examples, workers, stop); });
}

}  // namespace nrs
