#include "runtime/kernels.h"

#include <algorithm>
#include <cmath>

#include "base/fast_math.h"

namespace nrs::runtime {
namespace {

constexpr float kNormEpsilon = 1e-5F;

template <int kWidth>
float dot(const float* a, const float* b, int width) {
  const int steps = kWidth > 0 ? kWidth : width;
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int d = 0; d < steps; ++d) sum += a[d] * b[d];
  return sum;
}

template <int kWidth>
void add_scaled(float scale, const float* x, int width, float* out) {
  const int steps = kWidth > 0 ? kWidth : width;
#pragma omp simd
  for (int d = 0; d < steps; ++d) out[d] += scale * x[d];
}

// The same query of all heads.
template <int kWidth>
void attend_heads(HeadShape shape, const float* query, const Memories& memories, float* scores,
                  float* out) {
  const int width = shape.dim / shape.heads;
  const float scale = 1.0F / std::sqrt(static_cast<float>(width));
  for (int column = 0; column < shape.dim; column += width) {
    const float* key = memories.keys + column;
    for (std::int64_t j = 0; j < memories.count; ++j, key += memories.stride) {
      scores[j] = dot<kWidth>(query + column, key, width);
    }
    nrs::kernels::softmax(scores, memories.count, scale);
    std::fill_n(out + column, width, 0.0F);
    const float* value = memories.values + column;
    for (std::int64_t j = 0; j < memories.count; ++j, value += memories.stride) {
      add_scaled<kWidth>(scores[j], value, width, out + column);
    }
  }
}

template <int kWidth>
void attend_slots(HeadShape shape, const WindowSlots& slots, const float* qkv,
                  const TokenPlace& place, float* scores, float* out) {
  const int width = shape.dim / shape.heads, stride = 3 * shape.dim;
  const float scale = 1.0F / std::sqrt(static_cast<float>(width));
  // The slots that lie in the row are next to each other, the token's own among them.
  const std::int64_t before = (place.token - place.first) / slots.dilation;
  const std::int64_t behind = (place.last - 1 - place.token) / slots.dilation;
  const int from = slots.window - static_cast<int>(std::min<std::int64_t>(slots.window, before));
  const int to = slots.window + static_cast<int>(std::min<std::int64_t>(slots.window, behind)) + 1;
  const std::int64_t first =
      place.token + static_cast<std::int64_t>(from - slots.window) * slots.dilation;
  const std::int64_t step = static_cast<std::int64_t>(slots.dilation) * stride;
  const float* query = qkv + place.token * stride;
  for (int head = 0; head < shape.heads; ++head) {
    const int column = head * width;
    const float* key = qkv + first * stride + shape.dim + column;
    for (int s = from; s < to; ++s, key += step) {
      scores[s] = scale * dot<kWidth>(query + column, key, width);
      if (slots.bias != nullptr) scores[s] += slots.bias[s * shape.heads + head];
    }
    nrs::kernels::softmax(scores + from, to - from, 1.0F);
    std::fill_n(out + column, width, 0.0F);
    const float* value = qkv + first * stride + 2 * shape.dim + column;
    for (int s = from; s < to; ++s, value += step) {
      add_scaled<kWidth>(scores[s], value, width, out + column);
      if (slots.value == nullptr) continue;
      add_scaled<kWidth>(scores[s], slots.value + s * shape.dim + column, width, out + column);
    }
  }
}

}  // namespace

void norm_rows(const NormWeights& norm, const float* x, std::int64_t rows, float* out) {
  const int dim = norm.dim;
  for (std::int64_t row = 0; row < rows; ++row, x += dim, out += dim) {
    float total = 0, squares = 0;
#pragma omp simd reduction(+ : total)
    for (int d = 0; d < dim; ++d) total += x[d];
    const float mean = total / static_cast<float>(dim);
#pragma omp simd reduction(+ : squares)
    for (int d = 0; d < dim; ++d) squares += (x[d] - mean) * (x[d] - mean);
    const float inverse = 1.0F / std::sqrt(squares / static_cast<float>(dim) + kNormEpsilon);
#pragma omp simd
    for (int d = 0; d < dim; ++d) out[d] = (x[d] - mean) * inverse * norm.gamma[d] + norm.beta[d];
  }
}

void activate_rows(Activation activation, std::int64_t rows, int columns, float* x) {
  // Row by row: the end of a row must not depend on where the row lies.
  for (std::int64_t row = 0; row < rows; ++row, x += columns) {
    if (activation == Activation::kGelu) {
#pragma omp simd
      for (int d = 0; d < columns; ++d) x[d] = nrs::kernels::gelu(x[d]).value;
    } else {
      for (int d = 0; d < columns; ++d) x[d] = x[d] < 0 ? 0.0F : x[d];
    }
  }
}

void attend(HeadShape shape, const float* query, const Memories& memories, float* scores,
            float* out) {
  if (memories.count == 0) {
    std::fill_n(out, shape.dim, 0.0F);
    return;
  }
  kernels::with_width(shape.dim / shape.heads, [&](auto width) {
    attend_heads<width()>(shape, query, memories, scores, out);
  });
}

void attend_window(HeadShape shape, const WindowSlots& slots, const float* qkv,
                   const TokenPlace& place, float* scores, float* out) {
  kernels::with_width(shape.dim / shape.heads, [&](auto width) {
    attend_slots<width()>(shape, slots, qkv, place, scores, out);
  });
}

}  // namespace nrs::runtime
