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

// Softmax of each column of scores [slots, heads], in place: a vector holds all heads, for there
// are few slots.
template <int kHeads>
void softmax_columns(float* scores, int slots, int heads) {
  constexpr int kMostHeads = 64;
  const int columns = kHeads > 0 ? kHeads : heads;
  float most[kMostHeads], sum[kMostHeads];
  for (int h = 0; h < columns; ++h) {
    most[h] = scores[h];
    sum[h] = 0;
  }
  for (int s = 1; s < slots; ++s) {
    for (int h = 0; h < columns; ++h) most[h] = std::max(most[h], scores[s * columns + h]);
  }
  for (int s = 0; s < slots; ++s) {
#pragma omp simd
    for (int h = 0; h < columns; ++h) {
      const float power = nrs::kernels::fast_exp(scores[s * columns + h] - most[h]);
      scores[s * columns + h] = power;
      sum[h] += power;
    }
  }
  for (int h = 0; h < columns; ++h) sum[h] = 1.0F / sum[h];
  for (int s = 0; s < slots; ++s) {
    for (int h = 0; h < columns; ++h) scores[s * columns + h] *= sum[h];
  }
}

template <int kWidth>
void attend_slots(HeadShape shape, const WindowSlots& slots, const float* query,
                  std::span<const float* const> memories, float* scores, float* out) {
  const int dim = shape.dim, heads = shape.heads, width = dim / heads;
  const float scale = 1.0F / std::sqrt(static_cast<float>(width));
  // The slots that lie in the row are next to each other, the token's own among them.
  int from = 0, to = static_cast<int>(memories.size());
  while (memories[static_cast<std::size_t>(from)] == nullptr) ++from;
  while (memories[static_cast<std::size_t>(to) - 1] == nullptr) --to;
  for (int s = from; s < to; ++s) {
    const float* key = memories[static_cast<std::size_t>(s)] + dim;
    for (int h = 0; h < heads; ++h) {
      const float bias = slots.bias == nullptr ? 0.0F : slots.bias[s * heads + h];
      scores[s * heads + h] = scale * dot<kWidth>(query + h * width, key + h * width, width) + bias;
    }
  }
  (heads == 4 ? softmax_columns<4> : softmax_columns<0>)(scores + from * heads, to - from, heads);
  std::fill_n(out, dim, 0.0F);
  for (int s = from; s < to; ++s) {
    const float* value = memories[static_cast<std::size_t>(s)] + 2 * dim;
    for (int h = 0; h < heads; ++h) {
      const float share = scores[s * heads + h];
      add_scaled<kWidth>(share, value + h * width, width, out + h * width);
      if (slots.value == nullptr) continue;
      add_scaled<kWidth>(share, slots.value + s * dim + h * width, width, out + h * width);
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

void attend_window(HeadShape shape, const WindowSlots& slots, const float* query,
                   std::span<const float* const> memories, float* scores, float* out) {
  kernels::with_width(shape.dim / shape.heads, [&](auto width) {
    attend_slots<width()>(shape, slots, query, memories, scores, out);
  });
}

}  // namespace nrs::runtime
