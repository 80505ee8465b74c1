#pragma once
// The loops in which running a model spends its time, for one pass forward. Every row is computed
// by itself, in a fixed order: its companions cannot change a bit of it. D width, H heads, S slots
// of a window.
//
// They are in a table because a program that must run on any processor has them twice: compiled as
// all else is (namespace common), and for processors with AVX2 (namespace avx2). The faster copy is
// chosen once. Each copy has all of its code in a namespace of its own (nn/fast_math.h), and this
// header, which they share, has no functions that could be compiled into them.
#include <cstdint>

namespace nrs::nn {

// A weight [out, in] with its bias [out], in the order in which a product reads it.
struct PackedMatrix {
  const float*
      panels;  // [panels, in + 1, Kernels::panel]: the bias first; 0 beyond the last column
  int in;
  int out;
};

struct NormWeights {
  const float* gamma;  // [D]
  const float* beta;   // [D]
  int dim;
};

struct HeadShape {
  int heads;
  int dim;
};

// Keys and values that one query may attend to: `count` of them, `stride` floats apart.
struct Memories {
  const float* keys;
  const float* values;
  std::int64_t stride;
  std::int64_t count;
};

// What self-attention to the S slots of a window adds to them.
struct WindowSlots {
  const float* bias;   // [S, H]; may be null
  const float* value;  // [S, D]; may be null
};
// The query, key and value [3D] of each slot, null where a slot is outside of the row, which only
// the first and the last ones are.
struct WindowMemories {
  const float* const* slots;  // [S]
  int count;
};

// What columns look for that attend to their nearest match, from one product.
struct NearestColumns {
  // [count, 3D + 2H]: query, key and value; then for each head what is added to the scores of
  // columns to the right, and for each head to the left.
  const float* in;
  std::int64_t count;
  const float* scale;  // [3]: of a score, of what is added to it; and what is added to all
};

struct Kernels {
  const char* name;
  int panel;  // columns of a matrix that are computed together

  // out [rows, out] = x [rows, in] * weight + bias, or += that.
  void (*multiply)(const PackedMatrix& matrix, const float* x, std::int64_t rows, float* out);
  void (*multiply_add)(const PackedMatrix& matrix, const float* x, std::int64_t rows, float* out);

  // out = layer norm of x, both [rows, D]; they may be the same.
  void (*norm_rows)(const NormWeights& norm, const float* x, std::int64_t rows, float* out);
  // x [rows, columns] becomes f(x).
  void (*relu_rows)(std::int64_t rows, int columns, float* x);
  void (*gelu_rows)(std::int64_t rows, int columns, float* x);
  // x [rows, columns] goes to c as far as its gate is open, 1 / (1 + e^-gate).
  void (*gate_rows)(const float* gate, const float* c, std::int64_t rows, int columns, float* x);

  // out [D] = what the query [D] finds. scores: room for `count` floats. Zeros if there is nothing.
  void (*attend)(HeadShape shape, const float* query, const Memories& memories, float* scores,
                 float* out);
  // The same among the slots of a window; scores: room for [S, H].
  void (*attend_window)(HeadShape shape, const WindowSlots& slots, const float* query,
                        WindowMemories memories, float* scores, float* out);
  // Attention to the last match: from the end on each memory takes its share
  // 1 / (1 + e^-(score + bias)) of what those behind it have left over; bias [H]. The memories may
  // lie in two parts, the second behind the first. Reads no further than until nothing is left:
  // what is before costs nothing.
  void (*attend_last_match)(HeadShape shape, const float* bias, const float* query,
                            const Memories& before, const Memories& behind, float* out);
  // Attention of column `at` to the nearest match: keys take their shares from the nearest to the
  // furthest, of two at the same distance the right one first.
  void (*attend_nearest_match)(HeadShape shape, const NearestColumns& columns, std::int64_t at,
                               float* out);
};

namespace common {
extern const Kernels kKernels;
}
namespace avx2 {
extern const Kernels kKernels;  // only where NRS_AVX2_COPY is defined
}

// Whether this processor, and the system on it, can run the copy for AVX2.
bool has_avx2();

// The fastest copy that this processor can run; always the same one.
const Kernels& best_kernels();

}  // namespace nrs::nn
