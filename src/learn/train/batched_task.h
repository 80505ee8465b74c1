#pragma once
// What the tasks of all modules have in common: batches of examples that a sampler chooses,
// computed in parts, and measured by the examples that come out exactly right.
#include <torch/autograd.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "learn/examples/batches.h"
#include "learn/examples/samplers.h"
#include "learn/nets/nets.h"
#include "learn/train/training_task.h"
#include "recipe/recipe.h"

namespace nrs::learn {

// What a network makes of one example. It is given the right prefix of what it writes; with that
// every symbol is the likeliest if and only if free writing, which takes the likeliest symbol each
// time, is right.
struct ExampleOutcome {
  std::size_t tokens = 0;  // that it reads
  bool exact = false;      // every target is the likeliest class
  double log_prob = 0;     // of all targets together
};

// How many examples a forward pass of a measurement takes: enough to fill the matrix products, with
// little memory.
struct PassSize {
  enum Unit { kRows, kTokens };
  Unit unit;
  std::int64_t enough;
};

// What never changes for a module. The numbers are part of what a recipe fixes.
struct ModuleTraits {
  std::string_view name;
  std::uint64_t number;  // each module has random numbers of its own
  std::uint64_t sampler_stream;
  std::uint64_t validation_stream = 0;  // if examples are drawn
  PassSize pass_size;
};

// The batches are those of learn/examples/batches.h, the samplers those of samplers.h.
template <class Sampler>
class BatchedTask : public TrainingTask {
 public:
  std::string_view name() const final { return traits_.name; }
  int parts() const final { return recipe_.parts; }

  void draw(int step) final {
    const auto number = static_cast<std::uint64_t>(step);
    Rng choice(mix(seed_, traits_.sampler_stream), number);
    drawn_ = sampler_.batch(step, choice);
    Rng labels(mix(seed_, kLabels), number);
    Batch batch;
    for (const std::size_t example : drawn_) add(example, labels.next(), batch);
    dropout_seed_ = mix(mix(seed_, kDropout), number);
    drawn_targets_ = static_cast<double>(batch.targets.size());
    batches_ = split(batch, parts());
    losses_.assign(batches_.size(), {});
  }

  torch::Tensor loss(int part) final {
    const auto number = static_cast<std::size_t>(part);
    const Batch& batch = batches_[number];
    if (batch.targets.empty()) return {};
    const Pass pass{.training = true, .seed = dropout_seed_};
    RowLoss loss = row_loss(logits(batch, pass), batch.targets, batch.answers);
    losses_[number] = std::move(loss.rows);
    return loss.mean * (static_cast<double>(batch.targets.size()) / drawn_targets_);
  }

  void after_step() final { sampler_.learn(drawn_, joined(losses_)); }

  Score validate(Workers& workers, const std::function<bool()>& stop) final {
    const auto [known, harder] = validation();
    const double exact = fraction_exact(outcomes(known, workers, stop));
    return {.out_of_distribution =
                harder.count == 0 ? exact : fraction_exact(outcomes(harder, workers, stop)),
            .in_distribution = exact};
  }

  std::vector<float> sampler_state() const final { return sampler_.state(); }
  void restore_sampler(const std::vector<float>& state) final { sampler_.restore(state); }

 protected:
  // Streams of the seed. The numbers are part of what a recipe fixes.
  enum Stream : std::uint64_t { kWeights = 1, kExamples, kDropout, kLabels };
  // Examples to measure on: add(i, batch) adds the i-th.
  struct Examples {
    std::size_t count = 0;
    std::function<void(std::size_t, Batch&)> add;
  };
  struct ValidationExamples {
    Examples in_distribution;
    Examples out_of_distribution;
  };

  BatchedTask(const recipe::Recipe& recipe, const ModuleTraits& traits, Sampler sampler)
      : recipe_(recipe),
        traits_(traits),
        seed_(mix(recipe.seed_number(), traits.number)),
        sampler_(std::move(sampler)) {}

  const recipe::Recipe& recipe() const { return recipe_; }
  std::uint64_t seed() const { return seed_; }
  const Sampler& sampler() const { return sampler_; }

  virtual ValidationExamples validation() const = 0;
  // Adds the training example with this number. The seed fixes label positions.
  virtual void add(std::size_t example, std::uint64_t label_seed, Batch& batch) const = 0;
  // [M, V]: of each target.
  virtual torch::Tensor logits(const Batch& batch, const Pass& pass) const = 0;

  // Without gradient. Throws Stopped if told to stop.
  std::vector<ExampleOutcome> outcomes(const Examples& examples, Workers& workers,
                                       const std::function<bool()>& stop) const {
    std::vector<ExampleOutcome> outcomes(examples.count);
    const std::vector<std::size_t> begins = passes(examples);
    workers.run_unless(stop, begins.size() - 1, [&](std::size_t pass) {
      const torch::NoGradGuard no_grad;
      Batch batch;
      for (std::size_t i = begins[pass]; i < begins[pass + 1]; ++i) examples.add(i, batch);
      const RowLoss loss = row_loss(logits(batch, {}), batch.targets, batch.answers);
      for (std::size_t row = 0; row < loss.rows.size(); ++row) {
        outcomes[begins[pass] + row] = {
            .tokens =
                static_cast<std::size_t>(batch.read.packing.length(static_cast<std::int64_t>(row))),
            .exact = loss.exact[row] != 0,
            .log_prob = -double{loss.rows[row]}};
      }
    });
    return outcomes;
  }

 private:
  // The first example of each pass, and the end of the last.
  std::vector<std::size_t> passes(const Examples& examples) const {
    const auto [unit, enough] = traits_.pass_size;
    std::vector<std::size_t> begins;
    std::int64_t filled = enough;
    for (std::size_t i = 0; i < examples.count; ++i) {
      if (filled >= enough) {
        begins.push_back(i);
        filled = 0;
      }
      Batch one;
      if (unit == PassSize::kTokens) examples.add(i, one);
      filled += unit == PassSize::kTokens ? one.read.packing.tokens() : 1;
    }
    begins.push_back(examples.count);
    return begins;
  }

  // 1 if there are none.
  static double fraction_exact(const std::vector<ExampleOutcome>& outcomes) {
    if (outcomes.empty()) return 1;
    const auto right = std::ranges::count_if(outcomes, &ExampleOutcome::exact);
    return static_cast<double>(right) / static_cast<double>(outcomes.size());
  }

  recipe::Recipe recipe_;
  ModuleTraits traits_;
  std::uint64_t seed_;
  Sampler sampler_;
  std::vector<std::size_t> drawn_;  // the examples of the last batch, by number
  std::vector<Batch> batches_;      // its parts
  double drawn_targets_ = 0;        // in all parts
  std::uint64_t dropout_seed_ = 0;
  std::vector<std::vector<float>> losses_;  // of the rows of each part
};

// A task whose examples a source draws on the fly, each by its number; the hard ones come again.
template <class Source, class Example>
class DrawnTask : public BatchedTask<HardDraws> {
 protected:
  using Base = BatchedTask<HardDraws>;
  using typename Base::ValidationExamples;

  // `source` must outlive the task.
  DrawnTask(const recipe::Recipe& recipe, const ModuleTraits& traits,
            const recipe::TrainConfig& config, const Source& source)
      : Base(recipe, traits, HardDraws(config)),
        source_(source),
        validation_(source.validation(recipe.data.valid_formulas,
                                      mix(this->seed(), traits.validation_stream))) {}

  const Source& source() const { return source_; }

  // The training example with this number.
  virtual Example draw_example(std::size_t /*number*/, Rng& rng) const { return source_.draw(rng); }
  virtual void add_example(const Example& example, std::uint64_t label_seed,
                           Batch& batch) const = 0;

  ValidationExamples validation() const final {
    return {examples(validation_.in_distribution), examples(validation_.out_of_distribution)};
  }
  void add(std::size_t number, std::uint64_t label_seed, Batch& batch) const final {
    Rng rng(mix(this->seed(), Base::kExamples), number);
    add_example(draw_example(number, rng), label_seed, batch);
  }

 private:
  typename Base::Examples examples(const std::vector<Example>& list) const {
    return {list.size(), [this, &list](std::size_t i, Batch& batch) {
              add_example(list[i], mix(this->seed(), i), batch);
            }};
  }

  const Source& source_;
  ValidationSets<Example> validation_;
};

}  // namespace nrs::learn
