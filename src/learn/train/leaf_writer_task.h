#pragma once
// Trains the Selector of an NRS: formulas drawn on the fly, the hard ones again; measured by last
// leaves that are written exactly.
#include <memory>

#include "learn/examples/example_source.h"
#include "learn/examples/samplers.h"
#include "learn/train/batched_task.h"

namespace nrs::learn {

class LeafWriterTask : public BatchedTask<HardDraws> {
 public:
  // `source` must outlive the task.
  LeafWriterTask(const recipe::Recipe& recipe, const ExampleSource& source);

  std::string_view name() const override { return "selector"; }
  SolverNet& module() override { return *net_; }
  Examples in_distribution() const override { return examples(validation_.in_distribution); }
  Examples out_of_distribution() const override {
    return examples(validation_.out_of_distribution);
  }
  // From which length on it should read in windows.
  std::optional<Results> measure(Workers& workers,
                                 const std::function<bool()>& stop) const override;
  void export_to(model::Model& model, const Results& results) const override;

 private:
  static constexpr std::uint64_t kModule = 1;
  enum MoreStreams : std::uint64_t { kValidation = 5, kAgain };
  static constexpr PassSize kPassSize{PassSize::kRows, 64};

  Examples examples(const std::vector<data::RewriteExample>& list) const;
  void add(std::size_t example, std::uint64_t label_seed, Batch& batch) const override;
  void prepare(Batch& batch) const override;
  torch::Tensor logits(const Batch& batch, const Pass& pass) const override;

  recipe::RewritingSections sections_;
  const ExampleSource& source_;
  SolverBatcher batcher_;
  std::shared_ptr<SolverNet> net_;
  Validation validation_;
};

}  // namespace nrs::learn
