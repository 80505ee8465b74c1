#include "nn/layers.h"

#include "nn/positions.h"

namespace nrs::nn {

void FeedForward::run(const float* x, std::int64_t rows, float* hidden, bool add,
                      float* out) const {
  up_.multiply(x, rows, hidden);
  const Kernels& kernels = best_kernels();
  const auto activate = activation_ == Activation::kGelu ? kernels.gelu_rows : kernels.relu_rows;
  activate(rows, up_.out(), hidden, nullptr);
  add ? down_.multiply_add(hidden, rows, out) : down_.multiply(hidden, rows, out);
}

Table position_table(Positions positions, int rows, int dim, const WeightReader& weights) {
  if (positions == Positions::kNone) return {};
  if (positions == Positions::kLearned) return {weights.part("positions").values("weight"), dim};
  std::vector<float> values(static_cast<std::size_t>(rows) * static_cast<std::size_t>(dim));
  fill_sinusoids(rows, dim, values.data());
  return {std::move(values), dim};
}

}  // namespace nrs::nn
