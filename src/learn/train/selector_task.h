#pragma once
// Trains a Selector: examples drawn on the fly, the hard ones again; measured by formulas that are
// segmented exactly.
#include <cstdint>
#include <memory>

#include "learn/examples/batches.h"
#include "learn/examples/example_source.h"
#include "learn/examples/hard_draws.h"
#include "learn/nets/nets.h"
#include "learn/train/training_task.h"
#include "recipe/recipe.h"

namespace nrs {

class SelectorTask : public TrainingTask {
 public:
  // `source` must outlive the task.
  SelectorTask(const Recipe& recipe, const ExampleSource& source);

  std::string_view name() const override { return "selector"; }
  SelectorNet& module() override { return *net_; }
  int parts() const override { return parts_; }
  void draw(int step) override;
  torch::Tensor loss(int part) override;
  void after_step() override;
  std::optional<Score> validate(Workers& workers, const std::function<bool()>& stop) override;

  std::vector<float> sampler_state() const override { return hard_.state(); }
  void restore_sampler(const std::vector<float>& state) override { hard_.restore(state); }

  const Tokenizer& tokenizer() const { return batcher_.tokenizer(); }
  // The part of examples segmented exactly; nothing if told to stop, 1 if there are none.
  std::optional<double> exact(const std::vector<RewriteExample>& examples, Workers& workers,
                              const std::function<bool()>& stop) const;

 private:
  // Of the seed.
  enum Stream : std::uint64_t { kWeights = 1, kExamples, kDropout, kLabels, kValidation, kAgain };

  // Validation examples in pieces of about equally many tokens.
  std::vector<SelectorBatch> pieces_of(const std::vector<RewriteExample>& examples) const;

  const ExampleSource& source_;
  int parts_;
  std::uint64_t seed_;
  SelectorBatcher batcher_;
  std::shared_ptr<SelectorNet> net_;
  Validation validation_;
  HardDraws hard_;
  int step_ = 0;                            // that was drawn last
  std::vector<std::uint64_t> draws_;        // their numbers
  std::vector<SelectorBatch> drawn_;        // the parts
  std::vector<std::vector<float>> losses_;  // of the rows of each part
  std::int64_t drawn_tokens_ = 0;
};

}  // namespace nrs
