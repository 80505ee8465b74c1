#include "learn/train/solver_task.h"

#include <torch/autograd.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace nrs {
namespace {

constexpr std::size_t kLeavesPerPass = 512;

SolverTokenizers make_tokenizers(const SolverConfig& config, const SolverPairs& pairs) {
  VocabularyBuilder inputs{TokenRules(config.token_rules)};
  VocabularyBuilder outputs{TokenRules(config.token_rules)};
  for (const PairList* list : {&pairs.train, &pairs.valid, &pairs.unseen}) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      inputs.add(list->text(i));
      if (list->omega(i)) continue;
      outputs.add(list->value(i));
      if (config.shared_vocabulary) inputs.add(list->value(i));
    }
  }
  if (!config.shared_vocabulary) {
    return {.input = inputs.build(Specials::kInput), .output = outputs.build(Specials::kOutput)};
  }
  const Tokenizer shared = inputs.build(Specials::kOutput);
  return {.input = shared, .output = shared};
}

std::vector<std::size_t> first_numbers(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

}  // namespace

SolverTask::SolverTask(const Recipe& recipe, SolverPairs pairs)
    : config_(recipe.train.solver),
      parts_(recipe.parts),
      valid_leaves_(static_cast<std::size_t>(recipe.data.valid_leaves)),
      seed_(mix(static_cast<std::uint64_t>(recipe.seed), 2)),
      pairs_(std::move(pairs)),
      batcher_(recipe.solver, make_tokenizers(recipe.solver, pairs_)),
      net_(std::make_shared<SolverNet>(recipe.solver,
                                       SolverVocabulary{.input = tokenizers().input.size(),
                                                        .output = tokenizers().output.size()},
                                       mix(seed_, kWeights))),
      sampler_(pairs_.train, config_) {}

void SolverTask::draw(int step) {
  const auto number = static_cast<std::uint64_t>(step);
  Rng examples(mix(seed_, kExamples), number);
  Rng labels(mix(seed_, kLabels), number);
  drawn_ = sampler_.draw(examples);
  SolverBatch batch;
  for (const std::size_t pair : drawn_) batcher_.add(pairs_.train, pair, labels.next(), batch);
  step_ = step;
  batch_.set(batch, parts_);
}

torch::Tensor SolverTask::loss(int part) {
  return batch_.loss(*net_, part, config_.teacher_forcing,
                     mix(mix(seed_, kDropout), static_cast<std::uint64_t>(step_)));
}

void SolverTask::after_step() {
  sampler_.learn(drawn_, batch_.row_losses());
}

RowLoss SolverTask::measure(const PairList& pairs, std::span<const std::size_t> numbers) const {
  const torch::NoGradGuard no_grad;
  SolverBatch batch;
  for (const std::size_t i : numbers) batcher_.add(pairs, i, mix(seed_, i), batch);
  return row_loss(net_->forward(batch.leaves, batch.written), batch.targets, batch.written.packing);
}

std::optional<std::vector<SolverTask::Outcome>> SolverTask::outcomes(
    const PairList& pairs, std::span<const std::size_t> numbers, Workers& workers,
    const std::function<bool()>& stop) const {
  std::vector<Outcome> outcomes(numbers.size());
  const std::size_t pieces = (numbers.size() + kLeavesPerPass - 1) / kLeavesPerPass;
  const bool whole = workers.run_unless(stop, pieces, [&](std::size_t piece) {
    const std::size_t begin = piece * kLeavesPerPass;
    const std::size_t count = std::min(kLeavesPerPass, numbers.size() - begin);
    // With the right prefix every symbol is the likeliest if and only if free writing, which takes
    // the likeliest symbol each time, writes exactly this value.
    const RowLoss loss = measure(pairs, numbers.subspan(begin, count));
    for (std::size_t i = 0; i < count; ++i) {
      outcomes[begin + i] = {.exact = loss.exact[i] != 0, .log_prob = -double{loss.rows[i]}};
    }
  });
  if (!whole) return std::nullopt;
  return outcomes;
}

std::optional<double> SolverTask::share_exact(const PairList& pairs,
                                              std::span<const std::size_t> numbers,
                                              Workers& workers,
                                              const std::function<bool()>& stop) const {
  const auto found = outcomes(pairs, numbers, workers, stop);
  if (!found) return std::nullopt;
  if (found->empty()) return 1.0;
  const auto right =
      std::count_if(found->begin(), found->end(), [](const Outcome& one) { return one.exact; });
  return static_cast<double>(right) / static_cast<double>(found->size());
}

std::vector<std::size_t> SolverTask::known_sample() const {
  const std::size_t count = std::min(valid_leaves_, pairs_.train.size());
  if (count == pairs_.train.size()) return first_numbers(count);
  std::vector<std::size_t> numbers = sampler_.hardest(count / 2);
  const std::vector<std::size_t> first = first_numbers(count - numbers.size());
  numbers.insert(numbers.end(), first.begin(), first.end());
  return numbers;
}

std::optional<Score> SolverTask::validate(Workers& workers, const std::function<bool()>& stop) {
  const auto known = share_exact(pairs_.train, known_sample(), workers, stop);
  if (!known) return std::nullopt;
  const std::size_t count = std::min(valid_leaves_, pairs_.valid.size());
  if (count == 0) return Score{.known = *known, .beyond = *known};
  const auto beyond = share_exact(pairs_.valid, first_numbers(count), workers, stop);
  if (!beyond) return std::nullopt;
  return Score{.known = *known, .beyond = *beyond};
}

}  // namespace nrs
