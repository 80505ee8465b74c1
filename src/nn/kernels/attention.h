#pragma once
// Attention by softmax, to all memories or to those in a window.
#include <cstdint>

#include "nn/fast_math.h"
#include "nn/kernels.h"
#include "nn/kernels/vectors.h"

namespace nrs::nn::NRS_COPY {

// Softmax of each column of scores [slots, heads], in place: a vector holds all heads, for there
// are often few slots.
template <int kHeads>
void softmax_of_heads(float* scores, int slots, int heads) {
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
    for (int h = 0; h < columns; ++h) scores[s * columns + h] -= most[h];
  }
  // All slots in one loop: the heads of one alone leave much of a vector empty.
#pragma omp simd
  for (int i = 0; i < slots * columns; ++i) scores[i] = fast_exp(scores[i]);
  for (int s = 0; s < slots; ++s) {
    for (int h = 0; h < columns; ++h) sum[h] += scores[s * columns + h];
  }
  for (int h = 0; h < columns; ++h) sum[h] = 1.0F / sum[h];
  for (int s = 0; s < slots; ++s) {
    for (int h = 0; h < columns; ++h) scores[s * columns + h] *= sum[h];
  }
}
inline void softmax_columns(float* scores, int slots, int heads) {
  switch (heads) {
    case 4:
      return softmax_of_heads<4>(scores, slots, heads);
    case 6:
      return softmax_of_heads<6>(scores, slots, heads);
    default:
      return softmax_of_heads<0>(scores, slots, heads);
  }
}

// Each memory's score of each head, [count, heads].
template <int kWidth>
void attend_heads(HeadShape shape, const float* query, const Memories& memories, float* scores,
                  float* out) {
  const int heads = shape.heads, width = kWidth > 0 ? kWidth : shape.dim / heads;
  const int count = static_cast<int>(memories.count);
  const float* key = memories.keys;
  for (int j = 0; j < count; ++j, key += memories.stride) {
    dot_heads<kWidth>(query, key, heads, width, scores + j * heads);
  }
  const float scale = 1.0F / root(static_cast<float>(width));
  for (int i = 0; i < count * heads; ++i) scores[i] *= scale;
  softmax_columns(scores, count, heads);
  for (int h = 0; h < heads; ++h, out += width) {
    const float* value = memories.values + h * width;
    // Not in `out`, which the compiler would write after each memory.
    float sum[kWidth > 0 ? kWidth : 1];
    float* to = kWidth > 0 ? sum : out;
    clear(to, width);
    for (int j = 0; j < count; ++j, value += memories.stride) {
      add_scaled<kWidth>(scores[j * heads + h], value, width, to);
    }
    for (int d = 0; kWidth > 0 && d < kWidth; ++d) out[d] = sum[d];
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
    float* of_slot = scores + s * heads;
    dot_heads<kWidth>(query, memories.slots[s] + dim, heads, width, of_slot);
    for (int h = 0; h < heads; ++h) {
      const float bias = slots.bias == nullptr ? 0.0F : slots.bias[s * heads + h];
      of_slot[h] = scale * of_slot[h] + bias;
    }
  }
  softmax_columns(scores + from * heads, to - from, heads);
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

inline void attend(HeadShape shape, const float* query, const Memories& memories, float* scores,
                   float* out) {
  if (memories.count == 0) {
    clear(out, shape.dim);
    return;
  }
  with_width(shape.dim / shape.heads,
             [&](auto width) { attend_heads<width()>(shape, query, memories, scores, out); });
}

inline void attend_window(HeadShape shape, const WindowSlots& slots, const float* query,
                          WindowMemories memories, float* scores, float* out) {
  with_width(shape.dim / shape.heads, [&](auto width) {
    attend_slots<width()>(shape, slots, query, memories, scores, out);
  });
}

}  // namespace nrs::nn::NRS_COPY
