// The element-wise and row-wise kernels: norm, activation, dropout, embedding, loss, Adam.
#include <cmath>

#include "base/rng.h"
#include "learn/kernels/kernel_math.h"
#include "learn/kernels/kernels.h"

namespace nrs::kernels {
namespace {

// Below this many elements a second thread costs more than it saves.
constexpr std::int64_t kWorthThreads = 1 << 12;

template <class Work>
void for_each_slice(std::int64_t count, std::int64_t elements, const Work& work) {
  if (elements < kWorthThreads) {
    work(0, Slice{0, count});
    return;
  }
  for_each_part([&](int part, int parts) { work(part, slice_of_part(count, part, parts)); });
}

void norm_row(std::int64_t columns, const AddNormInputs& in, std::int64_t row,
              const AddNormOutputs& out) {
  const std::int64_t at = row * columns;
  float* sum = out.sum + at;
  float total = 0;
  for (std::int64_t d = 0; d < columns; ++d) sum[d] = in.x != nullptr ? in.x[at + d] : 0.0F;
  if (in.update != nullptr) {
    for (std::int64_t d = 0; d < columns; ++d) sum[d] += in.update[at + d];
  }
  if (in.bias != nullptr) {
    for (std::int64_t d = 0; d < columns; ++d) sum[d] += in.bias[d];
  }
#pragma omp simd reduction(+ : total)
  for (std::int64_t d = 0; d < columns; ++d) total += sum[d];
  const float mean = total / static_cast<float>(columns);
  float squares = 0;
#pragma omp simd reduction(+ : squares)
  for (std::int64_t d = 0; d < columns; ++d) squares += (sum[d] - mean) * (sum[d] - mean);
  const float inverse = 1.0F / std::sqrt(squares / static_cast<float>(columns) + kNormEpsilon);
  out.stats[2 * row] = mean;
  out.stats[2 * row + 1] = inverse;
  float* normed = out.normed + at;
#pragma omp simd
  for (std::int64_t d = 0; d < columns; ++d) {
    normed[d] = (sum[d] - mean) * inverse * in.gamma[d] + in.beta[d];
  }
}

// sums: gamma, beta and bias gradients of this thread, [3, columns].
void norm_row_backward(std::int64_t columns, const AddNormSaved& saved, std::int64_t row,
                       const float* from, float* gradient, float* sums) {
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
#pragma omp simd
  for (std::int64_t d = 0; d < columns; ++d) {
    const float centred = sum[d] - mean;
    sums[d] += from[d] * centred * inverse;
    sums[columns + d] += from[d];
    gradient[d] = inverse * (from[d] * saved.gamma[d] - shift - slope * centred);
  }
}

}  // namespace

void add_norm_forward(Size size, const AddNormInputs& in, const AddNormOutputs& out) {
  for_each_slice(size.rows, size.rows * size.columns, [&](int, Slice slice) {
    for (std::int64_t row = slice.begin; row < slice.end; ++row) {
      norm_row(size.columns, in, row, out);
    }
  });
}

void add_norm_backward(Size size, const AddNormSaved& saved, const float* normed_gradient,
                       const float* sum_gradient, const AddNormGradients& gradient) {
  const std::int64_t columns = size.columns;
  Partials partials(3 * columns);
  for_each_slice(size.rows, size.rows * columns, [&](int part, Slice slice) {
    float* sums = partials.of(part);
    for (std::int64_t row = slice.begin; row < slice.end; ++row) {
      float* to = gradient.sum + row * columns;
      norm_row_backward(columns, saved, row, normed_gradient + row * columns, to, sums);
      if (sum_gradient != nullptr) {
        for (std::int64_t d = 0; d < columns; ++d) to[d] += sum_gradient[row * columns + d];
      }
      for (std::int64_t d = 0; d < columns; ++d) sums[2 * columns + d] += to[d];
    }
  });
  partials.add_up(0, columns, gradient.gamma);
  partials.add_up(columns, columns, gradient.beta);
  partials.add_up(2 * columns, columns, gradient.bias);
}

void activation_forward(Size size, Activation activation, const float* bias, float* x, float* out) {
  for_each_slice(size.rows, size.rows * size.columns, [&](int, Slice slice) {
    for (std::int64_t row = slice.begin; row < slice.end; ++row) {
      float* from = x + row * size.columns;
      float* to = out + row * size.columns;
      if (activation == Activation::kGelu) {
#pragma omp simd
        for (std::int64_t d = 0; d < size.columns; ++d) {
          const ValueAndSlope result = gelu(from[d] + bias[d]);
          to[d] = result.value;
          from[d] = result.slope;
        }
      } else {
        for (std::int64_t d = 0; d < size.columns; ++d) {
          const float sum = from[d] + bias[d];
          to[d] = sum < 0 ? 0.0F : sum;  // a NaN stays one
          from[d] = sum > 0 ? 1.0F : 0.0F;
        }
      }
    }
  });
}

void activation_backward(Size size, const float* slope, float* gradient, float* bias_gradient) {
  Partials partials(size.columns);
  for_each_slice(size.rows, size.rows * size.columns, [&](int part, Slice slice) {
    float* sums = partials.of(part);
    for (std::int64_t row = slice.begin; row < slice.end; ++row) {
      const float* by = slope + row * size.columns;
      float* to = gradient + row * size.columns;
#pragma omp simd
      for (std::int64_t d = 0; d < size.columns; ++d) {
        to[d] *= by[d];
        sums[d] += to[d];
      }
    }
  });
  partials.add_up(0, size.columns, bias_gradient);
}

void column_sums(Size size, const float* x, float* sums) {
  Partials partials(size.columns);
  for_each_slice(size.rows, size.rows * size.columns, [&](int part, Slice slice) {
    float* mine = partials.of(part);
    for (std::int64_t row = slice.begin; row < slice.end; ++row) {
      const float* from = x + row * size.columns;
#pragma omp simd
      for (std::int64_t d = 0; d < size.columns; ++d) mine[d] += from[d];
    }
  });
  partials.add_up(0, size.columns, sums);
}

void dropout(std::int64_t count, const DropoutMask& mask, const float* x, float* out) {
  const std::uint64_t threshold = static_cast<std::uint64_t>(mask.share * 0x1p32);
  const float scale = static_cast<float>(1.0 / (1.0 - mask.share));
  for_each_slice(count, count, [&](int, Slice slice) {
    for (std::int64_t i = slice.begin; i < slice.end; ++i) {
      const bool kept =
          (mix(mask.seed, static_cast<std::uint64_t>(mask.first + i)) >> 32U) >= threshold;
      out[i] = kept ? scale * x[i] : 0.0F;
    }
  });
}

void embed_forward(Size size, std::span<const Lookup> lookups, float* out) {
  for_each_slice(size.rows, size.rows * size.columns, [&](int, Slice slice) {
    for (std::int64_t row = slice.begin; row < slice.end; ++row) {
      float* to = out + row * size.columns;
      std::fill_n(to, size.columns, 0.0F);
      for (const Lookup& lookup : lookups) {
        if (lookup.index[row] < 0) continue;
        const float* from = lookup.table + lookup.index[row] * size.columns;
        for (std::int64_t d = 0; d < size.columns; ++d) to[d] += from[d];
      }
    }
  });
}

// Threads share the columns, not the tokens: two tokens may be the same row of the table.
void embed_backward(Size size, const std::int32_t* index, const float* gradient,
                    float* table_gradient) {
  for_each_slice(size.columns, size.rows * size.columns, [&](int, Slice slice) {
    for (std::int64_t row = 0; row < size.rows; ++row) {
      if (index[row] < 0) continue;
      const float* from = gradient + row * size.columns;
      float* to = table_gradient + index[row] * size.columns;
#pragma omp simd
      for (std::int64_t d = slice.begin; d < slice.end; ++d) to[d] += from[d];
    }
  });
}

void cross_entropy(Size size, const float* logits, const std::int32_t* targets,
                   const LossOutputs& out) {
  for_each_slice(size.rows, size.rows * size.columns, [&](int, Slice slice) {
    for (std::int64_t row = slice.begin; row < slice.end; ++row) {
      const float* from = logits + row * size.columns;
      float* to = out.gradient + row * size.columns;
      const float* most = std::max_element(from, from + size.columns);
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::int64_t c = 0; c < size.columns; ++c) {
        to[c] = fast_exp(from[c] - *most);
        sum += to[c];
      }
      for (std::int64_t c = 0; c < size.columns; ++c) to[c] /= sum;
      const std::int32_t target = targets[row];
      to[target] -= 1.0F;
      out.loss[row] = std::log(sum) + *most - from[target];
      out.correct[row] = static_cast<char>(most - from == target);
    }
  });
}

void adam_step(const AdamBuffers& buffers, const AdamStep& step) {
  const float beta1 = static_cast<float>(step.beta1), beta2 = static_cast<float>(step.beta2);
  const float scale = static_cast<float>(step.gradient_scale);
  const float keep = static_cast<float>(1 - step.rate * step.decay);
  const float rate = static_cast<float>(step.rate / step.mean_correction);
  const float root = static_cast<float>(1 / std::sqrt(step.square_correction));
  const float epsilon = static_cast<float>(step.epsilon);
  const float share = static_cast<float>(step.average_share);
  for_each_slice(buffers.count, buffers.count, [&](int, Slice slice) {
    float* weights = buffers.weights;
    float* mean = buffers.mean;
    float* square = buffers.square;
#pragma omp simd
    for (std::int64_t i = slice.begin; i < slice.end; ++i) {
      const float g = buffers.gradient[i] * scale;
      mean[i] += (1 - beta1) * (g - mean[i]);
      square[i] += (1 - beta2) * (g * g - square[i]);
      weights[i] = weights[i] * keep - rate * mean[i] / (std::sqrt(square[i]) * root + epsilon);
    }
    if (buffers.average == nullptr) return;
#pragma omp simd
    for (std::int64_t i = slice.begin; i < slice.end; ++i) {
      buffers.average[i] += share * (weights[i] - buffers.average[i]);
    }
  });
}

}  // namespace nrs::kernels
