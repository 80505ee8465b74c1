#pragma once
// Attention by softmax, to all memories or to those in a window.
#include <cstdint>

#include "nn/fast_math.h"
#include "nn/kernels.h"
#include "nn/kernels/vectors.h"

namespace nrs::nn::NRS_COPY {

// The same query of all heads.
template <int kWidth>
void attend_heads(HeadShape shape, const float* query, const Memories& memories,
                  HeadWeights weights, float* out) {
  const int width = shape.dim / shape.heads;
  const float scale = 1.0F / root(static_cast<float>(width));
  float* scores = weights.at;
  for (int column = 0; column < shape.dim; column += width, scores += weights.stride) {
    const float* key = memories.keys + column;
    for (std::int64_t j = 0; j < memories.count; ++j, key += memories.stride) {
      scores[j] = dot<kWidth>(query + column, key, width);
    }
    softmax(scores, memories.count, scale);
    clear(out + column, width);
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
    for (int h = 0; h < columns; ++h) most[h] = larger(most[h], scores[s * columns + h]);
  }
  for (int s = 0; s < slots; ++s) {
#pragma omp simd
    for (int h = 0; h < columns; ++h) {
      const float power = fast_exp(scores[s * columns + h] - most[h]);
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
                  WindowMemories memories, float* scores, float* out) {
  const int dim = shape.dim, heads = shape.heads, width = dim / heads;
  const float scale = 1.0F / root(static_cast<float>(width));
  // The slots that lie in the row are next to each other, the token's own among them.
  int from = 0, to = memories.count;
  while (memories.slots[from] == nullptr) ++from;
  while (memories.slots[to - 1] == nullptr) --to;
  for (int s = from; s < to; ++s) {
    const float* key = memories.slots[s] + dim;
    for (int h = 0; h < heads; ++h) {
      const float bias = slots.bias == nullptr ? 0.0F : slots.bias[s * heads + h];
      scores[s * heads + h] = scale * dot<kWidth>(query + h * width, key + h * width, width) + bias;
    }
  }
  (heads == 4 ? softmax_columns<4> : softmax_columns<0>)(scores + from * heads, to - from, heads);
  clear(out, dim);
  for (int s = from; s < to; ++s) {
    const float* value = memories.slots[s] + 2 * dim;
    for (int h = 0; h < heads; ++h) {
      const float share = scores[s * heads + h];
      add_scaled<kWidth>(share, value + h * width, width, out + h * width);
      if (slots.value == nullptr) continue;
      add_scaled<kWidth>(share, slots.value + s * dim + h * width, width, out + h * width);
    }
  }
}

inline void attend(HeadShape shape, const float* query, const Memories& memories,
                   HeadWeights weights, float* out) {
  if (memories.count == 0) {
    clear(out, shape.dim);
    return;
  }
  with_width(shape.dim / shape.heads,
             [&](auto width) { attend_heads<width()>(shape, query, memories, weights, out); });
}

inline void attend_window(HeadShape shape, const WindowSlots& slots, const float* query,
                          WindowMemories memories, float* scores, float* out) {
  with_width(shape.dim / shape.heads, [&](auto width) {
    attend_slots<width()>(shape, slots, query, memories, scores, out);
  });
}

}  // namespace nrs::nn::NRS_COPY
