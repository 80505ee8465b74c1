#pragma once
// Attention to the last match.
#include <cstdint>

#include "nn/fast_math.h"
#include "nn/kernels.h"
#include "nn/kernels/vectors.h"

namespace nrs::nn::NRS_COPY {

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
