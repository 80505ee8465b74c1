#pragma once
// What the tasks of all modules have in common: batches of examples that a sampler chooses,
// computed in parts, and measured by the examples that come out exactly right.
#include <torch/autograd.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "learn/examples/batches.h"
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

double fraction_exact(const std::vector<ExampleOutcome>& outcomes);  // 1 if there are none

// How many examples a forward pass of a measurement takes: enough to fill the matrix products, with
// little memory.
struct PassSize {
  enum Unit { kRows, kTokens };
  Unit unit;
  std::int64_t enough;
};

// The batches are those of learn/examples/batches.h, the samplers those of samplers.h.
template <class Sampler>
class BatchedTask : public ModuleTask {
 public:
  // Examples to measure on: add(i, batch) adds the i-th.
  struct Examples {
    std::size_t count = 0;
    std::function<void(std::size_t, Batch&)> add;
  };

  int parts() const final { return parts_; }

  void draw(int step) final {
    const auto number = static_cast<std::uint64_t>(step);
    Rng choice(mix(seed_, sampler_stream_), number);
    drawn_ = sampler_.batch(step, choice);
    Rng labels(mix(seed_, kLabels), number);
    Batch batch;
    for (const std::size_t example : drawn_) add(example, labels.next(), batch);
    dropout_seed_ = mix(mix(seed_, kDropout), number);
    drawn_targets_ = static_cast<double>(batch.targets.size());
    batches_ = split(batch, parts_);
    losses_.assign(batches_.size(), {});
  }

  torch::Tensor loss(int part) final {
    const auto number = static_cast<std::size_t>(part);
    Batch& batch = batches_[number];
    if (batch.targets.empty()) return {};
    prepare(batch);
    const Pass pass{.training = true, .seed = dropout_seed_};
    RowLoss loss = row_loss(logits(batch, pass), batch.targets, batch.answers);
    losses_[number] = std::move(loss.rows);
    return loss.mean * (static_cast<double>(batch.targets.size()) / drawn_targets_);
  }

  void after_step() final { sampler_.learn(drawn_, joined(losses_)); }

  std::optional<Score> validate(Workers& workers, const std::function<bool()>& stop) final {
    const auto in = outcomes(in_distribution(), workers, stop);
    if (!in) return std::nullopt;
    const Examples harder = out_of_distribution();
    const auto out = harder.count == 0 ? in : outcomes(harder, workers, stop);
    if (!out) return std::nullopt;
    return Score{.in_distribution = fraction_exact(*in),
                 .out_of_distribution = fraction_exact(*out)};
  }

  std::vector<float> sampler_state() const final { return sampler_.state(); }
  void restore_sampler(const std::vector<float>& state) final { sampler_.restore(state); }

  // Nothing if told to stop. Without gradient.
  std::optional<std::vector<ExampleOutcome>> outcomes(const Examples& examples, Workers& workers,
                                                      const std::function<bool()>& stop) const {
    std::vector<ExampleOutcome> outcomes(examples.count);
    const std::vector<std::size_t> begins = passes(examples);
    const bool whole = workers.run_unless(stop, begins.size() - 1, [&](std::size_t pass) {
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
    if (!whole) return std::nullopt;
    return outcomes;
  }

  virtual Examples in_distribution() const = 0;
  virtual Examples out_of_distribution() const = 0;

 protected:
  // Streams of the seed. The numbers are part of what a recipe fixes.
  enum Stream : std::uint64_t { kWeights = 1, kExamples, kDropout, kLabels };

  // `module` is the number of the module: each has random numbers of its own.
  BatchedTask(const recipe::Recipe& recipe, std::uint64_t module, std::uint64_t sampler_stream,
              PassSize pass_size, Sampler sampler)
      : seed_(mix(recipe.seed_number(), module)),
        sampler_stream_(sampler_stream),
        pass_size_(pass_size),
        parts_(recipe.parts),
        sampler_(std::move(sampler)) {}

  std::uint64_t seed() const { return seed_; }
  const Sampler& sampler() const { return sampler_; }

  // A list as examples to measure on; add(example, seed, batch) adds one.
  template <class List, class Add>
  Examples examples_of(const List& list, Add add) const {
    return {list.size(), [this, &list, add](std::size_t i, Batch& batch) {
              add(list[i], mix(seed_, i), batch);
            }};
  }

  // Adds the training example with this number. The seed fixes label positions.
  virtual void add(std::size_t example, std::uint64_t label_seed, Batch& batch) const = 0;
  // Before the loss of a part is computed.
  virtual void prepare(Batch& /*batch*/) const {}
  // [M, V]: of each target.
  virtual torch::Tensor logits(const Batch& batch, const Pass& pass) const = 0;

 private:
  // The first example of each pass, and the end of the last.
  std::vector<std::size_t> passes(const Examples& examples) const {
    std::vector<std::size_t> begins;
    std::int64_t filled = pass_size_.enough;
    for (std::size_t i = 0; i < examples.count; ++i) {
      if (filled >= pass_size_.enough) {
        begins.push_back(i);
        filled = 0;
      }
      filled += pass_size_.unit == PassSize::kRows ? 1 : tokens_of(examples, i);
    }
    begins.push_back(examples.count);
    return begins;
  }
  static std::int64_t tokens_of(const Examples& examples, std::size_t i) {
    Batch one;
    examples.add(i, one);
    return one.read.packing.tokens();
  }

  std::uint64_t seed_;
  std::uint64_t sampler_stream_;
  PassSize pass_size_;
  int parts_;
  Sampler sampler_;
  std::vector<std::size_t> drawn_;  // the examples of the last batch, by number
  std::vector<Batch> batches_;      // its parts
  double drawn_targets_ = 0;        // in all parts
  std::uint64_t dropout_seed_ = 0;
  std::vector<std::vector<float>> losses_;  // of the rows of each part
};

inline double fraction_exact(const std::vector<ExampleOutcome>& outcomes) {
  if (outcomes.empty()) return 1;
  const auto right = std::count_if(outcomes.begin(), outcomes.end(),
                                   [](const ExampleOutcome& one) { return one.exact; });
  return static_cast<double>(right) / static_cast<double>(outcomes.size());
}

}  // namespace nrs::learn
