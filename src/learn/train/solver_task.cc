#include "learn/train/solver_task.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "learn/train/export.h"
#include "learn/train/guard.h"
#include "learn/train/thresholds.h"
#include "model/networks.h"
#include "nn/tensor_names.h"

namespace nrs::learn {
namespace {

constexpr const char* kThreshold = "threshold";

SolverTokenizers make_tokenizers(const nn::SolverConfig& config, const SolverPairs& pairs) {
  model::VocabularyBuilder inputs{model::TokenRules(config.token_rules)};
  model::VocabularyBuilder outputs{model::TokenRules(config.token_rules)};
  for (const PairList* list : {&pairs.train, &pairs.valid, &pairs.unseen}) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      inputs.add(list->text(i));
      if (list->omega(i)) continue;
      outputs.add(list->value(i));
      if (config.shared_vocabulary) inputs.add(list->value(i));
    }
  }
  if (!config.shared_vocabulary) {
    return {.input = inputs.build(model::Specials::kInput),
            .output = outputs.build(model::Specials::kOutput)};
  }
  const model::Tokenizer shared = inputs.build(model::Specials::kOutput);
  return {.input = shared, .output = shared};
}

std::vector<std::size_t> first_numbers(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

}  // namespace

SolverVocabulary vocabulary_of(const SolverTokenizers& tokenizers) {
  return {.input = tokenizers.input.size(), .output = tokenizers.output.size()};
}

void write_own_prefixes(const SolverNet& net, Batch& batch) {
  const int steps = longest_row(batch.written.packing);
  batch.written = with_own_prefixes(batch, net.write_greedily(batch.read, steps));
}

SolverTask::SolverTask(const recipe::Recipe& recipe, SolverPairs pairs)
    : BatchedTask(recipe, kModule, kExamples, kPassSize,
                  LeafSampler(pairs.train, recipe.of<recipe::RewritingSections>().train.solver)),
      sections_(recipe.of<recipe::RewritingSections>()),
      valid_leaves_(static_cast<std::size_t>(recipe.data.valid_leaves)),
      pairs_(std::move(pairs)),
      batcher_(sections_.solver, make_tokenizers(sections_.solver, pairs_)),
      net_(std::make_shared<SolverNet>(sections_.solver, vocabulary_of(batcher_.tokenizers()),
                                       mix(seed(), kWeights))) {}

SolverTask::Examples SolverTask::examples(const PairList& pairs,
                                          std::vector<std::size_t> numbers) const {
  const std::size_t count = numbers.size();
  return {count, [this, &pairs, numbers = std::move(numbers)](std::size_t i, Batch& batch) {
            batcher_.add(pairs, numbers[i], mix(seed(), numbers[i]), batch);
          }};
}

SolverTask::Examples SolverTask::in_distribution() const {
  const std::size_t count = std::min(valid_leaves_, pairs_.train.size());
  std::vector<std::size_t> numbers;
  if (count < pairs_.train.size()) numbers = sampler().hardest(count / 2);
  const std::vector<std::size_t> first = first_numbers(count - numbers.size());
  numbers.insert(numbers.end(), first.begin(), first.end());
  return examples(pairs_.train, std::move(numbers));
}

SolverTask::Examples SolverTask::out_of_distribution() const {
  return examples(pairs_.valid, first_numbers(std::min(valid_leaves_, pairs_.valid.size())));
}

void SolverTask::add(std::size_t example, std::uint64_t label_seed, Batch& batch) const {
  batcher_.add(pairs_.train, example, label_seed, batch);
}

void SolverTask::prepare(Batch& batch) const {
  if (!sections_.train.solver.teacher_forcing) write_own_prefixes(*net_, batch);
}

torch::Tensor SolverTask::logits(const Batch& batch, const Pass& pass) const {
  return net_->forward(batch.read, batch.written, pass);
}

bool SolverTask::take_weights(const model::Model& model) {
  if (!model.has(name())) return false;
  const model::SolverModel other = model::solver_of(model);
  const bool same = other.input.tokens() == tokenizers().input.tokens() &&
                    other.output.tokens() == tokenizers().output.tokens();
  return same && import_weights(*net_, nn::kSolverPrefix, other.weights);
}

// Every leaf there is, not a sample; and the threshold. Only the leaves for validation count for
// it: all that exist are known of no system that people teach.
std::optional<ModuleTask::Results> SolverTask::measure(Workers& workers,
                                                       const std::function<bool()>& stop) const {
  Results results;
  RightAnswers right{.seen = {}, .unseen = {}, .complete = pairs_.complete};
  const std::vector<std::pair<const char*, const PairList*>> lists = {
      {"seen", &pairs_.train}, {"kept", &pairs_.valid}, {"unseen", &pairs_.unseen}};
  for (const auto& [name, list] : lists) {
    const auto found = outcomes(examples(*list, first_numbers(list->size())), workers, stop);
    if (!found) return std::nullopt;
    std::vector<double> scores;
    for (const ExampleOutcome& outcome : *found) {
      if (outcome.exact) {
        scores.push_back(outcome.log_prob);
      } else if (list == &pairs_.valid) {
        // At most so sure: the right value has the rest.
        right.wrong.push_back(std::log1p(-std::exp(outcome.log_prob)));
      }
    }
    results[name] = {{"pairs", list->size()}, {"right", scores.size()}};
    if (list == &pairs_.train) right.seen = std::move(scores);
    if (list == &pairs_.valid) right.unseen = std::move(scores);
  }
  results[kThreshold] = calibrate_threshold(std::move(right), sections_.threshold);
  return results;
}

void SolverTask::export_to(model::Model& model, const Results& results) const {
  model.modules["solver"] =
      model::to_module(model::SolverModel{.config = sections_.solver,
                                          .input = tokenizers().input,
                                          .output = tokenizers().output,
                                          .min_log_prob = results.at(kThreshold).get<double>(),
                                          .weights = export_weights(*net_, nn::kSolverPrefix),
                                          .guard = make_guard(pairs_)});
}

}  // namespace nrs::learn
