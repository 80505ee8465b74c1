#pragma once
// A batch of texts that an encoder-decoder learns to write, in parts that are computed side by
// side.
#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "learn/examples/batches.h"
#include "learn/nets/nets.h"

namespace nrs {

class WrittenBatch {
 public:
  void set(const SolverBatch& batch, int parts);

  // The part's share of the mean loss of all symbols; nothing if it has none. Without teacher
  // forcing the network goes on from what it wrote itself.
  torch::Tensor loss(SolverNet& net, int part, bool teacher_forcing, std::uint64_t dropout_seed);
  // Of each row, in the order of the batch, once the losses of all parts are there.
  std::vector<float> row_losses() const;

 private:
  std::vector<SolverBatch> parts_;
  std::int64_t symbols_ = 0;                // of all parts
  std::vector<std::vector<float>> losses_;  // of the rows of each part
};

}  // namespace nrs
