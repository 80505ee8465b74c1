#include "learn/train/written_batch.h"

#include <utility>

#include "learn/examples/split.h"

namespace nrs {

void WrittenBatch::set(const SolverBatch& batch, int parts) {
  symbols_ = batch.written.packing.tokens();
  parts_ = split(batch, parts);
  losses_.assign(parts_.size(), {});
}

torch::Tensor WrittenBatch::loss(SolverNet& net, int part, bool teacher_forcing,
                                 std::uint64_t dropout_seed) {
  const auto number = static_cast<std::size_t>(part);
  SolverBatch& batch = parts_[number];
  const Packing& packing = batch.written.packing;
  if (packing.tokens() == 0) return {};
  if (!teacher_forcing) {
    batch.written =
        with_own_prefixes(batch, net.write_greedily(batch.leaves, longest_row(packing)));
  }
  const Pass pass{.training = true, .seed = dropout_seed};
  RowLoss loss = row_loss(net.forward(batch.leaves, batch.written, pass), batch.targets, packing);
  losses_[number] = std::move(loss.rows);
  return loss.mean * (static_cast<double>(packing.tokens()) / static_cast<double>(symbols_));
}

std::vector<float> WrittenBatch::row_losses() const {
  return joined(losses_);
}

}  // namespace nrs
