#include "nn/matrix.h"

#include <algorithm>

namespace nrs::nn {

LayerMatrix::LayerMatrix(const Weights& weight, const Weights& bias, const Kernels& kernels)
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
    column[0] = bias.values[static_cast<std::size_t>(o)];
    const float* row = weight.values.data() + std::int64_t{o} * in_;
    for (int i = 0; i < in_; ++i) column[(i + 1) * panel] = row[i];
  }
}

void LayerMatrix::multiply(const float* x, std::int64_t rows, float* out) const {
  kernels_->multiply({panels_.data(), in_, out_}, x, rows, out);
}

void LayerMatrix::multiply_add(const float* x, std::int64_t rows, float* out) const {
  kernels_->multiply_add({panels_.data(), in_, out_}, x, rows, out);
}

}  // namespace nrs::nn
