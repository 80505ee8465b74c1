#pragma once
// Trains a Solver: leaves drawn by their recent loss, measured by values that are exactly right.
#include <cstdint>
#include <memory>
#include <vector>

#include "learn/examples/batches.h"
#include "learn/examples/example_source.h"
#include "learn/examples/sampler.h"
#include "learn/nets/nets.h"
#include "learn/train/training_task.h"
#include "learn/train/written_batch.h"
#include "recipe/recipe.h"

namespace nrs {

class SolverTask : public TrainingTask {
 public:
  SolverTask(const Recipe& recipe, SolverPairs pairs);

  std::string_view name() const override { return "solver"; }
  SolverNet& module() override { return *net_; }
  int parts() const override { return parts_; }
  void draw(int step) override;
  torch::Tensor loss(int part) override;
  void after_step() override;
  std::optional<Score> validate(Workers& workers, const std::function<bool()>& stop) override;
  std::vector<float> sampler_state() const override { return sampler_.state(); }
  void restore_sampler(const std::vector<float>& state) override { sampler_.restore(state); }

  const SolverTokenizers& tokenizers() const { return batcher_.tokenizers(); }
  const SolverPairs& pairs() const { return pairs_; }

  // What the network makes of one pair.
  struct Outcome {
    bool exact = false;   // it would write exactly this value
    double log_prob = 0;  // joint log-probability of the right value, end symbol included
  };
  // Nothing if told to stop. Without gradient.
  std::optional<std::vector<Outcome>> outcomes(const PairList& pairs,
                                               std::span<const std::size_t> numbers,
                                               Workers& workers,
                                               const std::function<bool()>& stop) const;

 private:
  // Of the seed.
  enum Stream : std::uint64_t { kWeights = 1, kExamples, kDropout, kLabels };

  // Which training pairs a validation looks at: the hardest leaves and the first of all pairs.
  std::vector<std::size_t> known_sample() const;
  std::optional<double> share_exact(const PairList& pairs, std::span<const std::size_t> numbers,
                                    Workers& workers, const std::function<bool()>& stop) const;
  RowLoss measure(const PairList& pairs, std::span<const std::size_t> numbers) const;

  TrainConfig config_;
  int parts_;
  std::size_t valid_leaves_;
  std::uint64_t seed_;
  SolverPairs pairs_;
  SolverBatcher batcher_;
  std::shared_ptr<SolverNet> net_;
  LeafSampler sampler_;
  int step_ = 0;                    // that was drawn last
  std::vector<std::size_t> drawn_;  // its pairs
  WrittenBatch batch_;              // and they themselves
};

}  // namespace nrs
