#pragma once
// Trains a Neural Data Router: formulas drawn on the fly, measured by values that are exactly
// right.
#include <cstdint>
#include <memory>
#include <vector>

#include "learn/examples/hard_draws.h"
#include "learn/examples/router_batches.h"
#include "learn/examples/whole_source.h"
#include "learn/nets/router_net.h"
#include "learn/train/training_task.h"

namespace nrs {

class RouterTask : public TrainingTask {
 public:
  // The recipe is that of a router. `source` must outlive the task.
  RouterTask(const Recipe& recipe, const WholeSource& source);

  std::string_view name() const override { return "router"; }
  RouterNet& module() override { return *net_; }
  int parts() const override { return parts_; }
  void draw(int step) override;
  torch::Tensor loss(int part) override;
  void after_step() override;
  std::optional<Score> validate(Workers& workers, const std::function<bool()>& stop) override;
  std::vector<float> sampler_state() const override { return hard_.state(); }
  void restore_sampler(const std::vector<float>& state) override { hard_.restore(state); }

  const RouterBatcher& batcher() const { return batcher_; }

 private:
  // Of the seed.
  enum Stream : std::uint64_t { kWeights = 1, kExamples, kDropout, kValidation, kAgain };

  // The part that comes out exactly right; nothing if told to stop, 1 if there are none.
  std::optional<double> exact(const std::vector<WholeExample>& examples, Workers& workers,
                              const std::function<bool()>& stop) const;

  // The part of the easy steps that was over when this draw was first made; by its number, so that
  // it is the same formula when it comes again.
  double progress(std::uint64_t draw) const;

  const WholeSource& source_;
  int parts_;
  std::uint64_t seed_;
  RouterBatcher batcher_;
  std::shared_ptr<RouterNet> net_;
  WholeValidation validation_;
  double easy_draws_;  // before the deepest formulas come
  HardDraws hard_;
  int step_ = 0;                            // that was drawn last
  std::vector<std::uint64_t> draws_;        // their numbers
  std::vector<RouterBatch> drawn_;          // the parts
  std::vector<std::vector<float>> losses_;  // of the rows of each part
  std::int64_t drawn_answers_ = 0;
};

}  // namespace nrs
