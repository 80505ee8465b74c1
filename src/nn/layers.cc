#include "nn/layers.h"

#include <algorithm>
#include <cmath>

namespace nrs::nn {

LayerMatrix::LayerMatrix(const Weights& weight, std::span<const float> bias, const Kernels& kernels)
    : kernels_(&kernels),
      in_(static_cast<int>(weight.shape.at(1))),
      out_(static_cast<int>(weight.shape.at(0))) {
  const int panel = kernels.panel;
  const int panels = (out_ + panel - 1) / panel;
  const std::int64_t size = std::int64_t{panels} * (in_ + 1) * panel;
  float* to = panels_.get(size);
  std::fill_n(to, size, 0.0F);
  for (int o = 0; o < out_; ++o) {
    float* column = to + std::int64_t{o / panel} * (in_ + 1) * panel + o % panel;
    if (!bias.empty()) column[0] = bias[static_cast<std::size_t>(o)];
    const float* row = weight.values.data() + std::int64_t{o} * in_;
    for (int i = 0; i < in_; ++i) column[std::int64_t{i + 1} * panel] = row[i];
  }
}

void LayerMatrix::multiply(const float* x, std::int64_t rows, float* out) const {
  kernels_->multiply({panels_.data(), in_, out_}, x, rows, out);
}

void LayerMatrix::multiply_add(const float* x, std::int64_t rows, float* out) const {
  kernels_->multiply_add({panels_.data(), in_, out_}, x, rows, out);
}

void FeedForward::run(const float* x, std::int64_t rows, Buffer& hidden, bool add,
                      float* out) const {
  float* inside = hidden.get(rows * up_.out());
  up_.multiply(x, rows, inside);
  const Kernels& kernels = best_kernels();
  const auto activate = activation_ == Activation::kGelu ? kernels.gelu_rows : kernels.relu_rows;
  activate(rows, up_.out(), inside, nullptr);
  add ? down_.multiply_add(inside, rows, out) : down_.multiply(inside, rows, out);
}

void draw_labels(int range, Rng& rng, std::span<std::int32_t> labels) {
  for (std::int32_t& label : labels) {
    label = static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(range)));
  }
  std::sort(labels.begin(), labels.end());
}

void fill_sinusoids(int count, int dim, float* table) {
  const int pairs = dim / 2;
  for (int position = 0; position < count; ++position) {
    for (int i = 0; i < pairs; ++i) {
      // The timescales run from 1 to 10000 inclusive: the divisor is pairs - 1.
      const double angle = position * std::exp(-i * std::log(10000.0) / std::max(1, pairs - 1));
      *table++ = static_cast<float>(std::sin(angle));
      *table++ = static_cast<float>(std::cos(angle));
    }
  }
}

Table position_table(Positions positions, int rows, int dim, const WeightReader& weights) {
  if (positions == Positions::kNone) return {};
  if (positions == Positions::kLearned) return {weights.part("positions").values("weight"), dim};
  std::vector<float> values(static_cast<std::size_t>(rows) * static_cast<std::size_t>(dim));
  fill_sinusoids(rows, dim, values.data());
  return {std::move(values), dim};
}

}  // namespace nrs::nn
