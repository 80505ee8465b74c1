#pragma once
// Attention to the nearest match, as in a Neural Data Router.
#include <cstdint>

#include "nn/fast_math.h"
#include "nn/kernels.h"
#include "nn/kernels/vectors.h"

namespace nrs::nn::NRS_COPY {

// What is left over for further keys: less changes no answer.
inline constexpr float kNothingLeft = 1e-9F;

// One head of one query: keys take their shares from the nearest to the furthest.
struct NearestQuery {
  const float* query;
  float score, right, left;  // z = score * (query . key) + right or left
  int width, dim;

  // Adds the share of a key, whose value lies `dim` behind it; `rest` is what is left over.
  void take(const float* key, float side, float& rest, float* out) const {
    const float z = score * dot<0>(query, key, width) + side;
    const float power = kernels::fast_exp(-z);
    const float share = 1.0F / (1.0F + power);
    add_scaled<0>(share * rest, key + dim, width, out);
    rest *= power * share;
  }
};

inline void attend_nearest_match(HeadShape shape, const NearestColumns& columns, std::int64_t at,
                                 float* out) {
  const int dim = shape.dim, heads = shape.heads, width = dim / heads;
  const std::int64_t stride = 3 * dim + 2 * heads;
  const float* query = columns.in + at * stride;
  const float* sides = query + 3 * dim;
  const float* scale = columns.scale;
  clear(out, dim);
  for (int head = 0; head < heads; ++head) {
    const int column = head * width;
    const NearestQuery one{query + column,
                           scale[0],
                           scale[1] * sides[head] + scale[2],
                           scale[1] * sides[heads + head] + scale[2],
                           width,
                           dim};
    const float* keys = columns.in + dim + column;
    float rest = 1;
    for (std::int64_t m = 1; m < columns.count && rest > kNothingLeft; ++m) {
      const std::int64_t right = at + m, left = at - m;
      if (right < columns.count) one.take(keys + right * stride, one.right, rest, out + column);
      if (left >= 0) one.take(keys + left * stride, one.left, rest, out + column);
    }
  }
}

}  // namespace nrs::nn::NRS_COPY
