#pragma once
// Trains a Solver: leaves drawn by their recent loss, measured by values that are exactly right.
#include <memory>
#include <span>

#include "learn/examples/example_source.h"
#include "learn/examples/samplers.h"
#include "learn/train/batched_task.h"

namespace nrs::learn {

// Of any encoder-decoder.
SolverVocabulary vocabulary_of(const SolverTokenizers& tokenizers);
// Without teacher forcing the network goes on from what it wrote itself.
void write_own_prefixes(const SolverNet& net, Batch& batch);

class SolverTask : public BatchedTask<LeafSampler> {
 public:
  SolverTask(const recipe::Recipe& recipe, SolverPairs pairs);

  std::string_view name() const override { return "solver"; }
  SolverNet& module() override { return *net_; }
  // The hardest leaves and the first of all pairs that it is taught.
  Examples in_distribution() const override;
  Examples out_of_distribution() const override;
  bool take_weights(const model::Model& model) override;
  // How many of all pairs are right, and the threshold.
  std::optional<Results> measure(Workers& workers,
                                 const std::function<bool()>& stop) const override;
  void export_to(model::Model& model, const Results& results) const override;

  const SolverTokenizers& tokenizers() const { return batcher_.tokenizers(); }

 private:
  static constexpr std::uint64_t kModule = 2;
  static constexpr PassSize kPassSize{PassSize::kRows, 512};

  Examples examples(const PairList& pairs, std::vector<std::size_t> numbers) const;
  void add(std::size_t example, std::uint64_t label_seed, Batch& batch) const override;
  void prepare(Batch& batch) const override;
  torch::Tensor logits(const Batch& batch, const Pass& pass) const override;

  recipe::RewritingSections sections_;
  std::size_t valid_leaves_;
  SolverPairs pairs_;
  SolverBatcher batcher_;
  std::shared_ptr<SolverNet> net_;
};

}  // namespace nrs::learn
