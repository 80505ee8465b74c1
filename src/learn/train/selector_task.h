#pragma once
// Trains the Selector of a FastNRS: formulas drawn on the fly, the hard ones again; measured by
// formulas whose leaves are all marked exactly.
#include <memory>

#include "learn/examples/example_source.h"
#include "learn/examples/samplers.h"
#include "learn/train/batched_task.h"

namespace nrs::learn {

class SelectorTask : public BatchedTask<HardDraws> {
 public:
  // `source` must outlive the task.
  SelectorTask(const recipe::Recipe& recipe, const ExampleSource& source);

  std::string_view name() const override { return "selector"; }
  SelectorNet& module() override { return *net_; }
  Examples in_distribution() const override { return examples(validation_.in_distribution); }
  Examples out_of_distribution() const override {
    return examples(validation_.out_of_distribution);
  }
  void export_to(model::Model& model, const Results& results) const override;

 private:
  static constexpr std::uint64_t kModule = 1;
  enum MoreStreams : std::uint64_t { kValidation = 5, kAgain };
  static constexpr PassSize kPassSize{PassSize::kTokens, 8192};

  Examples examples(const std::vector<data::RewriteExample>& list) const;
  void add(std::size_t example, std::uint64_t label_seed, Batch& batch) const override;
  torch::Tensor logits(const Batch& batch, const Pass& pass) const override;

  const ExampleSource& source_;
  SelectorBatcher batcher_;
  std::shared_ptr<SelectorNet> net_;
  Validation validation_;
};

}  // namespace nrs::learn
