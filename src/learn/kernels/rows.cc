// The element-wise and row-wise kernels: norm, activation, dropout, embedding, loss, Adam.
#include <algorithm>
#include <cmath>

#include "base/rng.h"
#include "learn/kernels/kernels.h"
#include "nn/fast_math.h"
#include "nn/kernels.h"

namespace nrs::learn::kernels {
namespace {

// to = x + update + bias, those that there are.
void add_row(std::int64_t columns, const AddNormInputs& in, std::int64_t row, float* to) {
  const std::int64_t at = row * columns;
  for (std::int64_t d = 0; d < columns; ++d) to[d] = in.x != nullptr ? in.x[at + d] : 0.0F;
  if (in.update != nullptr) {
    for (std::int64_t d = 0; d < columns; ++d) to[d] += in.update[at + d];
  }
  if (in.bias != nullptr) {
    for (std::int64_t d = 0; d < columns; ++d) to[d] += in.bias[d];
  }
}

// Adds to the gradients of gamma and beta.
void norm_row_backward(std::int64_t columns, const AddNormSaved& saved, std::int64_t row,
                       const float* from, const AddNormGradients& to) {
  const float* sum = saved.sum + row * columns;
  const float mean = saved.stats[2 * row], inverse = saved.stats[2 * row + 1];
  float total = 0, aligned = 0;
#pragma omp simd reduction(+ : total, aligned)
  for (std::int64_t d = 0; d < columns; ++d) {
    const float g = from[d] * saved.gamma[d];
    total += g;
    aligned += g * (sum[d] - mean);
  }
  const float n = static_cast<float>(columns);
  const float shift = total / n, slope = aligned * inverse * inverse / n;
  float* gradient = to.sum + row * columns;
#pragma omp simd
  for (std::int64_t d = 0; d < columns; ++d) {
    const float centred = sum[d] - mean;
    to.gamma[d] += from[d] * centred * inverse;
    to.beta[d] += from[d];
    gradient[d] = inverse * (from[d] * saved.gamma[d] - shift - slope * centred);
  }
}

}  // namespace

void add_norm_forward(Size size, const AddNormInputs& in, const AddNormOutputs& out) {
  const nn::NormWeights norm{in.gamma, in.beta, static_cast<int>(size.columns)};
  for (std::int64_t row = 0; row < size.rows; ++row) {
    const std::int64_t at = row * size.columns;
    add_row(size.columns, in, row, out.sum + at);
    nn::best_kernels().norm_rows(norm, out.sum + at, 1, out.normed + at, out.stats + 2 * row);
  }
}

void add_norm_backward(Size size, const AddNormSaved& saved, const float* normed_gradient,
                       const float* sum_gradient, const AddNormGradients& gradient) {
  const std::int64_t columns = size.columns;
  for (float* sums : {gradient.gamma, gradient.beta, gradient.bias}) {
    if (sums != nullptr) std::fill_n(sums, columns, 0.0F);
  }
  for (std::int64_t row = 0; row < size.rows; ++row) {
    float* to = gradient.sum + row * columns;
    norm_row_backward(columns, saved, row, normed_gradient + row * columns, gradient);
    if (sum_gradient != nullptr) {
      for (std::int64_t d = 0; d < columns; ++d) to[d] += sum_gradient[row * columns + d];
    }
    if (gradient.bias == nullptr) continue;
    for (std::int64_t d = 0; d < columns; ++d) gradient.bias[d] += to[d];
  }
}

void activation_forward(Size size, nn::Activation activation, const float* bias, float* x,
                        float* slope) {
  const nn::Kernels& kernels = nn::best_kernels();
  const auto activate = activation == nn::Activation::kGelu ? kernels.gelu_rows : kernels.relu_rows;
  const auto columns = static_cast<int>(size.columns);
  for (std::int64_t row = 0; row < size.rows; ++row, x += columns, slope += columns) {
    for (int d = 0; d < columns; ++d) x[d] += bias[d];
    activate(1, columns, x, slope);
  }
}

void activation_backward(Size size, const float* slope, float* gradient, float* bias_gradient) {
  std::fill_n(bias_gradient, size.columns, 0.0F);
  for (std::int64_t row = 0; row < size.rows; ++row) {
    const float* by = slope + row * size.columns;
    float* to = gradient + row * size.columns;
#pragma omp simd
    for (std::int64_t d = 0; d < size.columns; ++d) {
      to[d] *= by[d];
      bias_gradient[d] += to[d];
    }
  }
}

void column_sums(Size size, const float* x, float* sums) {
  std::fill_n(sums, size.columns, 0.0F);
  for (std::int64_t row = 0; row < size.rows; ++row) {
    const float* from = x + row * size.columns;
#pragma omp simd
    for (std::int64_t d = 0; d < size.columns; ++d) sums[d] += from[d];
  }
}

void dropout(std::int64_t count, const DropoutMask& mask, const float* x, float* out) {
  const std::uint64_t threshold = static_cast<std::uint64_t>(mask.share * 0x1p32);
  const float scale = static_cast<float>(1.0 / (1.0 - mask.share));
  for (std::int64_t i = 0; i < count; ++i) {
    const bool kept =
        (mix(mask.seed, static_cast<std::uint64_t>(mask.first + i)) >> 32U) >= threshold;
    out[i] = kept ? scale * x[i] : 0.0F;
  }
}

void embed_forward(Size size, std::span<const Lookup> lookups, float* out) {
  for (std::int64_t row = 0; row < size.rows; ++row) {
    float* to = out + row * size.columns;
    std::fill_n(to, size.columns, 0.0F);
    for (const Lookup& lookup : lookups) {
      if (lookup.index[row] < 0) continue;
      const float* from = lookup.table + lookup.index[row] * size.columns;
      for (std::int64_t d = 0; d < size.columns; ++d) to[d] += from[d];
    }
  }
}

void embed_backward(Size size, const std::int32_t* index, const float* gradient,
                    float* table_gradient) {
  for (std::int64_t row = 0; row < size.rows; ++row) {
    if (index[row] < 0) continue;
    const float* from = gradient + row * size.columns;
    float* to = table_gradient + index[row] * size.columns;
#pragma omp simd
    for (std::int64_t d = 0; d < size.columns; ++d) to[d] += from[d];
  }
}

void cross_entropy(Size size, const float* logits, const std::int32_t* targets,
                   const LossOutputs& out) {
  for (std::int64_t row = 0; row < size.rows; ++row) {
    const float* from = logits + row * size.columns;
    float* to = out.gradient + row * size.columns;
    const float* most = std::max_element(from, from + size.columns);
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t c = 0; c < size.columns; ++c) {
      to[c] = nn::common::fast_exp(from[c] - *most);
      sum += to[c];
    }
    for (std::int64_t c = 0; c < size.columns; ++c) to[c] /= sum;
    const std::int32_t target = targets[row];
    to[target] -= 1.0F;
    out.loss[row] = std::log(sum) + *most - from[target];
    out.correct[row] = static_cast<char>(most - from == target);
  }
}

void adam_step(const AdamBuffers& buffers, const AdamStep& step) {
  const float beta1 = static_cast<float>(step.beta1), beta2 = static_cast<float>(step.beta2);
  const float scale = static_cast<float>(step.gradient_scale);
  const float keep = static_cast<float>(1 - step.rate * step.decay);
  const float rate = static_cast<float>(step.rate / step.mean_correction);
  const float root = static_cast<float>(1 / std::sqrt(step.square_correction));
  const float epsilon = static_cast<float>(step.epsilon);
  const float share = static_cast<float>(step.average_share);
  float* weights = buffers.weights;
  float* mean = buffers.mean;
  float* square = buffers.square;
#pragma omp simd
  for (std::int64_t i = 0; i < buffers.count; ++i) {
    const float g = buffers.gradient[i] * scale;
    mean[i] += (1 - beta1) * (g - mean[i]);
    square[i] += (1 - beta2) * (g * g - square[i]);
    weights[i] = weights[i] * keep - rate * mean[i] / (std::sqrt(square[i]) * root + epsilon);
  }
  if (buffers.average == nullptr) return;
#pragma omp simd
  for (std::int64_t i = 0; i < buffers.count; ++i) {
    buffers.average[i] += share * (weights[i] - buffers.average[i]);
  }
}

}  // namespace nrs::learn::kernels
