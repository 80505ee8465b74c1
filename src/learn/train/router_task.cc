#include "learn/train/router_task.h"

#include <torch/autograd.h>

#include <algorithm>
#include <numeric>

#include "learn/examples/split.h"
#include "learn/nets/nets.h"

namespace nrs {
namespace {

// The part of the seed that is the router's; Selector and Solver have 1 and 2.
constexpr std::uint64_t kModule = 3;
// Columns in one forward pass of validation.
constexpr std::int64_t kValidationColumns = 4096;

double easy_draws(const TrainConfig& config) {
  return config.easy_first * config.steps * config.batch;
}

RouterBatcher make_batcher(const RouterConfig& config, const WholeSource& source) {
  VocabularyBuilder formulas{TokenRules(config.token_rules)};
  VocabularyBuilder values{TokenRules(config.token_rules)};
  source.add_tokens(formulas, values);
  return {config, formulas.build(Specials::kInput), values.build(Specials::kOutput)};
}

}  // namespace

RouterTask::RouterTask(const Recipe& recipe, const WholeSource& source)
    : source_(source),
      parts_(recipe.parts),
      seed_(mix(static_cast<std::uint64_t>(recipe.seed), kModule)),
      batcher_(make_batcher(*recipe.router, source)),
      net_(std::make_shared<RouterNet>(*recipe.router, batcher_.input().size(),
                                       batcher_.output().size(), mix(seed_, kWeights))),
      validation_(source.validation(recipe.data.valid_formulas, mix(seed_, kValidation))),
      easy_draws_(easy_draws(*recipe.train.router)),
      hard_(*recipe.train.router) {}

double RouterTask::progress(std::uint64_t draw) const {
  return easy_draws_ == 0 ? 1 : static_cast<double>(draw) / easy_draws_;
}

void RouterTask::draw(int step) {
  const auto number = static_cast<std::uint64_t>(step);
  Rng again(mix(seed_, kAgain), number);
  draws_ = hard_.batch(step, again);
  RouterBatch batch;
  for (const std::uint64_t one : draws_) {
    Rng examples(mix(seed_, kExamples), one);
    batcher_.add(source_.draw(examples, progress(one)), batch);
  }
  step_ = step;
  drawn_answers_ = batch.answers.tokens();
  drawn_ = split(batch, parts_);
  losses_.assign(drawn_.size(), {});
}

torch::Tensor RouterTask::loss(int part) {
  const RouterBatch& batch = drawn_[static_cast<std::size_t>(part)];
  const std::int64_t answers = batch.answers.tokens();
  if (answers == 0) return {};
  const Pass pass{.training = true,
                  .seed = mix(mix(seed_, kDropout), static_cast<std::uint64_t>(step_))};
  RowLoss loss = row_loss(net_->forward(batch, pass), batch.targets, batch.answers);
  losses_[static_cast<std::size_t>(part)] = std::move(loss.rows);
  return loss.mean * (static_cast<double>(answers) / static_cast<double>(drawn_answers_));
}

void RouterTask::after_step() {
  hard_.learn(draws_, joined(losses_));
}

std::optional<double> RouterTask::exact(const std::vector<WholeExample>& examples, Workers& workers,
                                        const std::function<bool()>& stop) const {
  if (examples.empty()) return 1.0;
  std::vector<RouterBatch> pieces;
  for (const WholeExample& example : examples) {
    if (pieces.empty() || pieces.back().columns.packing.tokens() >= kValidationColumns) {
      pieces.emplace_back();
    }
    batcher_.add(example, pieces.back());
  }
  std::vector<std::int64_t> right(pieces.size());
  const bool whole = workers.run_unless(stop, pieces.size(), [&](std::size_t i) {
    const RowLoss loss = row_loss(net_->forward(pieces[i]), pieces[i].targets, pieces[i].answers);
    right[i] = std::count(loss.exact.begin(), loss.exact.end(), 1);
  });
  if (!whole) return std::nullopt;
  const auto sum = std::accumulate(right.begin(), right.end(), std::int64_t{0});
  return static_cast<double>(sum) / static_cast<double>(examples.size());
}

std::optional<Score> RouterTask::validate(Workers& workers, const std::function<bool()>& stop) {
  return score_levels(validation_,
                      [&](const auto& examples) { return exact(examples, workers, stop); });
}

}  // namespace nrs
