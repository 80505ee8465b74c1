#pragma once
// Trains the NRS's Selector: formulas drawn on the fly, the hard ones again; measured by last
// leaves that are written exactly.
#include <cstdint>
#include <memory>
#include <vector>

#include "learn/examples/batches.h"
#include "learn/examples/example_source.h"
#include "learn/examples/hard_draws.h"
#include "learn/nets/nets.h"
#include "learn/train/training_task.h"
#include "learn/train/written_batch.h"
#include "recipe/recipe.h"

namespace nrs {

class LeafWriterTask : public TrainingTask {
 public:
  // `source` must outlive the task.
  LeafWriterTask(const Recipe& recipe, const ExampleSource& source);

  std::string_view name() const override { return "selector"; }
  SolverNet& module() override { return *net_; }
  int parts() const override { return parts_; }
  void draw(int step) override;
  torch::Tensor loss(int part) override;
  void after_step() override;
  std::optional<Score> validate(Workers& workers, const std::function<bool()>& stop) override;

  std::vector<float> sampler_state() const override { return hard_.state(); }
  void restore_sampler(const std::vector<float>& state) override { hard_.restore(state); }

  const SolverTokenizers& tokenizers() const { return batcher_.tokenizers(); }

  // What the network makes of one validation formula.
  struct Outcome {
    std::size_t tokens = 0;  // of the formula
    bool exact = false;      // it would write exactly the last leaf
    double log_prob = 0;     // of the last leaf, end symbol included
  };
  // Of the known and then the deeper levels; nothing if told to stop.
  std::optional<std::vector<Outcome>> outcomes(Workers& workers,
                                               const std::function<bool()>& stop) const;

 private:
  // Of the seed.
  enum Stream : std::uint64_t { kWeights = 1, kExamples, kDropout, kLabels, kValidation, kAgain };

  std::optional<std::vector<Outcome>> outcomes(const std::vector<RewriteExample>& examples,
                                               Workers& workers,
                                               const std::function<bool()>& stop) const;

  const ExampleSource& source_;
  TrainConfig config_;
  int parts_;
  std::uint64_t seed_;
  SolverBatcher batcher_;
  std::shared_ptr<SolverNet> net_;
  Validation validation_;
  HardDraws hard_;
  int step_ = 0;                      // that was drawn last
  std::vector<std::uint64_t> draws_;  // its examples, by number
  WrittenBatch batch_;                // they themselves
};

}  // namespace nrs
