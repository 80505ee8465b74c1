#pragma once
// Trains a Neural Data Router: formulas drawn on the fly, measured by values that are exactly
// right.
#include <memory>

#include "learn/examples/example_source.h"
#include "learn/examples/samplers.h"
#include "learn/nets/router_net.h"
#include "learn/train/batched_task.h"

namespace nrs::learn {

class RouterTask : public BatchedTask<HardDraws> {
 public:
  // `source` must outlive the task.
  RouterTask(const recipe::Recipe& recipe, const SolvedSource& source);

  std::string_view name() const override { return "router"; }
  RouterNet& module() override { return *net_; }
  Examples in_distribution() const override { return examples(validation_.in_distribution); }
  Examples out_of_distribution() const override {
    return examples(validation_.out_of_distribution);
  }
  void export_to(model::Model& model, const Results& results) const override;

 private:
  static constexpr std::uint64_t kModule = 3;
  enum MoreStreams : std::uint64_t { kValidation = 4, kAgain };
  static constexpr PassSize kPassSize{PassSize::kTokens, 4096};

  Examples examples(const std::vector<SolvedFormula>& list) const;
  void add(std::size_t example, std::uint64_t label_seed, Batch& batch) const override;
  torch::Tensor logits(const Batch& batch, const Pass& pass) const override;
  // The fraction of the easy steps that was over when this draw was first made; by its number, so
  // that it is the same formula when it comes again.
  double progress(std::size_t draw) const;

  recipe::RouterSections sections_;
  const SolvedSource& source_;
  RouterBatcher batcher_;
  std::shared_ptr<RouterNet> net_;
  SolvedValidation validation_;
};

}  // namespace nrs::learn
