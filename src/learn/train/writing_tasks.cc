// The tasks of the encoder-decoders: a Solver, and a Selector that writes.
#include <algorithm>
#include <cmath>
#include <utility>

#include "learn/train/batched_task.h"
#include "learn/train/export.h"
#include "learn/train/guard.h"
#include "learn/train/thresholds.h"
#include "model/networks.h"
#include "nn/tensor_names.h"

namespace nrs::learn {
namespace {

constexpr ModuleTraits kWriterTraits{.name = "selector",
                                     .number = 1,
                                     .sampler_stream = 6,
                                     .validation_stream = 5,
                                     .pass_size = {PassSize::kRows, 64}};
constexpr ModuleTraits kSolverTraits{
    .name = "solver", .number = 2, .sampler_stream = 2, .pass_size = {PassSize::kRows, 512}};

constexpr const char* kWindowThreshold = "window_threshold";
constexpr const char* kThreshold = "threshold";

SolverVocabulary vocabulary_of(const SolverTokenizers& tokenizers) {
  return {.input = tokenizers.input.size(), .output = tokenizers.output.size()};
}

// Without teacher forcing the network learns to go on from what it wrote itself.
torch::Tensor written_logits(const SolverNet& net, const Batch& batch, const Pass& pass,
                             const recipe::TrainConfig& config) {
  if (!pass.training || config.teacher_forcing) return net.forward(batch.read, batch.written, pass);
  const auto own = net.write_greedily(batch.read, longest_row(batch.written.packing));
  return net.forward(batch.read, with_own_prefixes(batch, own), pass);
}

SolverTokenizers tokenizers_of(const model::VocabularyBuilder& inputs,
                               const model::VocabularyBuilder& outputs, bool shared) {
  const model::Tokenizer output = outputs.build(model::Specials::kOutput);
  return {.input = shared ? output : inputs.build(model::Specials::kInput), .output = output};
}

// Leaves are made of what formulas are made of.
SolverTokenizers make_tokenizers(const nn::SelectorConfig& config, const ExampleSource& source,
                                 std::uint64_t seed) {
  const model::VocabularyBuilder tokens = formula_tokens(config, source, seed);
  return tokenizers_of(tokens, tokens, config.writer.shared_vocabulary);
}

SolverTokenizers make_tokenizers(const nn::SolverConfig& config, const SolverPairs& pairs) {
  model::VocabularyBuilder inputs{model::TokenRules(config.token_rules)};
  model::VocabularyBuilder others{model::TokenRules(config.token_rules)};
  model::VocabularyBuilder& outputs = config.shared_vocabulary ? inputs : others;
  for (const PairList* list : {&pairs.train, &pairs.valid, &pairs.unseen}) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      inputs.add(list->text(i));
      if (!list->omega(i)) outputs.add(list->value(i));
    }
  }
  return tokenizers_of(inputs, outputs, config.shared_vocabulary);
}

class LeafWriterTask : public DrawnTask<ExampleSource, data::RewriteExample> {
 public:
  LeafWriterTask(const recipe::Recipe& recipe, const recipe::RewritingSections& sections,
                 const ExampleSource& source)
      : DrawnTask(recipe, kWriterTraits, sections.train.selector, source),
        sections_(sections),
        batcher_(nn::writer_network(sections.selector),
                 make_tokenizers(sections.selector, source, seed())),
        net_(nn::writer_network(sections.selector), vocabulary_of(batcher_.tokenizers()),
             mix(seed(), kWeights)) {}

  SolverNet& module() override { return net_; }

  // From which length on it should read in windows.
  Results measure(Workers& workers, const std::function<bool()>& stop) const override {
    std::vector<LengthConfidence> written;
    const auto [known, harder] = validation();
    for (const Examples* examples : {&known, &harder}) {
      for (const ExampleOutcome& outcome : outcomes(*examples, workers, stop))
        written.push_back({outcome.tokens, outcome.log_prob});
    }
    return Results{{kWindowThreshold, calibrate_windows(std::move(written), sections_.threshold)}};
  }

  void export_to(model::Model& model, const Results& results) const override {
    model.modules["selector"] = model::to_module(
        model::SelectorModel{.config = sections_.selector,
                             .tokens = batcher_.tokenizers().input,
                             .weights = export_weights(net_, nn::kSelectorPrefix),
                             .output = batcher_.tokenizers().output,
                             .window_threshold = results.at(kWindowThreshold).get<int>()});
  }

 private:
  void add_example(const data::RewriteExample& example, std::uint64_t label_seed,
                   Batch& batch) const override {
    batcher_.add(example, label_seed, batch);
  }
  torch::Tensor logits(const Batch& batch, const Pass& pass) const override {
    return written_logits(net_, batch, pass, sections_.train.selector);
  }

  recipe::RewritingSections sections_;
  SolverBatcher batcher_;
  SolverNet net_;
};

class SolverTask : public BatchedTask<LeafSampler> {
 public:
  SolverTask(const recipe::Recipe& recipe, const recipe::RewritingSections& sections,
             SolverPairs pairs)
      : BatchedTask(recipe, kSolverTraits, LeafSampler(pairs.train, sections.train.solver)),
        sections_(sections),
        pairs_(std::move(pairs)),
        batcher_(sections.solver, make_tokenizers(sections.solver, pairs_)),
        net_(sections.solver, vocabulary_of(batcher_.tokenizers()), mix(seed(), kWeights)) {}

  SolverNet& module() override { return net_; }

  bool take_weights(const model::Model& model) override {
    if (!model.has(name())) return false;
    const model::SolverModel other = model::solver_of(model);
    const SolverTokenizers& own = batcher_.tokenizers();
    const bool same =
        other.input.tokens() == own.input.tokens() && other.output.tokens() == own.output.tokens();
    return same && import_weights(net_, nn::kSolverPrefix, other.weights);
  }

  // How many of all pairs are right: every leaf there is, not a sample. And the threshold; only the
  // leaves for validation count for it: all that exist are known of no system that people teach.
  Results measure(Workers& workers, const std::function<bool()>& stop) const override {
    Results results;
    RightAnswers right{.seen = {}, .unseen = {}, .complete = pairs_.complete};
    const std::vector<std::pair<const char*, const PairList*>> lists = {
        {"seen", &pairs_.train}, {"kept", &pairs_.valid}, {"unseen", &pairs_.unseen}};
    for (const auto& [name, list] : lists) {
      std::vector<double> scores;
      for (const ExampleOutcome& outcome : outcomes(examples(*list, list->size()), workers, stop)) {
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

  void export_to(model::Model& model, const Results& results) const override {
    model.modules["solver"] =
        model::to_module(model::SolverModel{.config = sections_.solver,
                                            .input = batcher_.tokenizers().input,
                                            .output = batcher_.tokenizers().output,
                                            .min_log_prob = results.at(kThreshold).get<double>(),
                                            .weights = export_weights(net_, nn::kSolverPrefix),
                                            .guard = make_guard(pairs_)});
  }

 private:
  // Some pairs, by their numbers, and the first of all.
  Examples examples(const PairList& pairs, std::size_t count,
                    std::vector<std::size_t> chosen = {}) const {
    return {count, [this, &pairs, chosen = std::move(chosen)](std::size_t i, Batch& batch) {
              const std::size_t number = i < chosen.size() ? chosen[i] : i - chosen.size();
              batcher_.add(pairs, number, mix(seed(), number), batch);
            }};
  }

  // The hardest leaves and the first of all pairs that it is taught; and the first that it is not.
  ValidationExamples validation() const override {
    const auto most = static_cast<std::size_t>(recipe().data.valid_leaves);
    const std::size_t taught = std::min(most, pairs_.train.size());
    const bool all = taught == pairs_.train.size();
    return {examples(pairs_.train, taught, sampler().hardest(all ? 0 : taught / 2)),
            examples(pairs_.valid, std::min(most, pairs_.valid.size()))};
  }

  void add(std::size_t example, std::uint64_t label_seed, Batch& batch) const override {
    batcher_.add(pairs_.train, example, label_seed, batch);
  }
  torch::Tensor logits(const Batch& batch, const Pass& pass) const override {
    return written_logits(net_, batch, pass, sections_.train.solver);
  }

  recipe::RewritingSections sections_;
  SolverPairs pairs_;
  SolverBatcher batcher_;
  SolverNet net_;
};

}  // namespace

std::unique_ptr<TrainingTask> leaf_writer_task(const recipe::Recipe& recipe,
                                               const ExampleSource& source) {
  return std::make_unique<LeafWriterTask>(recipe, recipe.of<recipe::RewritingSections>(), source);
}

std::unique_ptr<TrainingTask> solver_task(const recipe::Recipe& recipe, SolverPairs pairs) {
  return std::make_unique<SolverTask>(recipe, recipe.of<recipe::RewritingSections>(),
                                      std::move(pairs));
}

}  // namespace nrs::learn
