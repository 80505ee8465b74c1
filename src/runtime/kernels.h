#pragma once
// What is between the matrix products, for one pass forward. Every row is computed by itself, in a
// fixed order: its companions cannot change a bit of it. D width, H heads, S slots of a window.
#include <cstdint>
#include <span>

#include "model/config.h"

namespace nrs::runtime {

// out = layer norm of x, both [rows, D]; they may be the same.
struct NormWeights {
  const float* gamma;  // [D]
  const float* beta;   // [D]
  int dim;
};
void norm_rows(const NormWeights& norm, const float* x, std::int64_t rows, float* out);

// x [rows, columns] becomes f(x).
void activate_rows(Activation activation, std::int64_t rows, int columns, float* x);

// Keys and values that one query may attend to: `count` of them, `stride` floats apart.
struct Memories {
  const float* keys;
  const float* values;
  std::int64_t stride;
  std::int64_t count;
};
struct HeadShape {
  int heads;
  int dim;
};
// out [D] = what the query [D] finds. scores: room for `count` floats. Zeros if there is nothing.
void attend(HeadShape shape, const float* query, const Memories& memories, float* scores,
            float* out);

// Self-attention to the S slots of a window.
struct WindowSlots {
  const float* bias;   // [S, H]; may be null
  const float* value;  // [S, D]; may be null
};
// query [D]; memories: the query, key and value [3D] of each slot, null where a slot is outside of
// the row, which only the first and the last ones are; scores: room for [S, H].
void attend_window(HeadShape shape, const WindowSlots& slots, const float* query,
                   std::span<const float* const> memories, float* scores, float* out);

}  // namespace nrs::runtime
