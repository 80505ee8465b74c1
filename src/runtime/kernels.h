#pragma once
// What is between the matrix products, for one pass forward. Every row is computed by itself, in a
// fixed order: its companions cannot change a bit of it. D width, H heads, S slots of a window.
#include <cstdint>

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

// Self-attention to the slots at distance -window..window times the dilation.
struct WindowSlots {
  int window;
  int dilation;
  const float* bias;   // [S, H]; may be null
  const float* value;  // [S, D]; may be null
};
// One token of a row.
struct TokenPlace {
  std::int64_t token;
  std::int64_t first;  // of the row
  std::int64_t last;   // of the row, not included
};
// qkv [N, 3D]; scores: room for S floats.
void attend_window(HeadShape shape, const WindowSlots& slots, const float* qkv,
                   const TokenPlace& place, float* scores, float* out);

}  // namespace nrs::runtime
