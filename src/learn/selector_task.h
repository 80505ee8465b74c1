#pragma once
// Trains a Selector: examples drawn on the fly, measured by formulas that are segmented exactly.
#include <cstdint>
#include <memory>

#include "learn/batches.h"
#include "learn/example_source.h"
#include "learn/nets.h"
#include "learn/recipe.h"
#include "learn/task.h"

namespace nrs {

class SelectorTask : public Task {
 public:
  // `source` must outlive the task.
  SelectorTask(const Recipe& recipe, const ExampleSource& source);

  std::string_view name() const override { return "selector"; }
  SelectorNet& module() override { return *net_; }
  torch::Tensor loss(int step) override;
  std::optional<Score> validate(const std::function<bool()>& stop) override;

  const Tokenizer& tokenizer() const { return batcher_.tokenizer(); }
  // The part of examples segmented exactly; nothing if told to stop, 1 if there are none.
  std::optional<double> exact(const std::vector<RewriteExample>& examples,
                              const std::function<bool()>& stop);

 private:
  const ExampleSource& source_;
  int batch_;
  std::uint64_t seed_;
  SelectorBatcher batcher_;
  std::shared_ptr<SelectorNet> net_;
  Validation validation_;
};

}  // namespace nrs
