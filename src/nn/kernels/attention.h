#pragma once
// Attention by softmax, to all memories or to those in a window, and to the last match.
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

// What is left of a head's attention. Less than this is lost in the rounding of what was found.
inline constexpr float kNothing = 1e-7F;

// Memories whose shares are computed as one vector. A share does not depend on the others of its
// block, so neither does the result.
inline constexpr std::int64_t kBlock = 16;

template <int kWidth>
class LastMatchHead {
 public:
  LastMatchHead(const float* query, float bias, int width, float* out)
      : query_(query), out_(out), bias_(bias), width_(kWidth > 0 ? kWidth : width) {}

  // From the last memory to the first. Memories are those of this head. Where shares are asked for,
  // it goes on to the first.
  void take(const Memories& memories, float* shares) {
    for (std::int64_t end = memories.count; end > 0 && (left_ >= kNothing || shares != nullptr);
         end -= kBlock) {
      const std::int64_t count = end < kBlock ? end : kBlock;
      score(memories.keys + (end - 1) * memories.stride, memories.stride, count);
      for (std::int64_t j = 0; shares != nullptr && j < count; ++j) {
        shares[end - 1 - j] = shares_[j];
      }
      const float* value = memories.values + (end - 1) * memories.stride;
      for (std::int64_t j = 0; j < count && left_ >= kNothing; ++j, value -= memories.stride) {
        const float weight = shares_[j] * left_;
        left_ *= 1 - shares_[j];
        add_scaled<kWidth>(weight, value, width_, out_);
      }
    }
  }

 private:
  void score(const float* key, std::int64_t stride, std::int64_t count) {
    for (std::int64_t j = 0; j < count; ++j, key -= stride) {
      shares_[j] = dot<kWidth>(query_, key, width_);
    }
    match_shares(shares_, count, 1.0F / root(static_cast<float>(width_)), bias_);
  }

  const float* query_;
  float* out_;
  float bias_;
  int width_;
  float left_ = 1;
  float shares_[kBlock];
};

inline Memories of_head(Memories memories, int column) {
  memories.keys += column;
  memories.values += column;
  return memories;
}

inline void attend_last_match(HeadShape shape, const MatchQuery& query,
                              const MatchMemories& memories, HeadWeights shares, float* out) {
  clear(out, shape.dim);
  const int width = shape.dim / shape.heads;
  with_width(width, [&](auto known_width) {
    for (int h = 0; h < shape.heads; ++h) {
      const int column = h * width;
      LastMatchHead<known_width()> head(query.query + column, query.bias[h], width, out + column);
      float* kept = shares.at == nullptr ? nullptr : shares.at + h * shares.stride;
      if (memories.behind.count > 0) head.take(of_head(memories.behind, column), nullptr);
      if (memories.before.count > 0) head.take(of_head(memories.before, column), kept);
    }
  });
}

}  // namespace nrs::nn::NRS_COPY
