#pragma once
// The loops in which running a model spends its time, for one pass forward. Every row is computed
// by itself, in a fixed order: its companions cannot change a bit of it. D width, H heads, S slots
// of a window.
//
// They are in a table because a program that must run on any processor has them three times:
// compiled as all else is (namespace common), for processors with AVX2 (namespace avx2) and for
// those with AVX-512 (namespace avx512). The fastest copy is chosen once. Each copy has all of its
// code in a namespace of its own (nn/fast_math.h), and this header, which they share, has no
// functions that could be compiled into them.
#include <cstdint>

namespace nrs::nn {

// A weight [out, in] with its bias [out], in the order in which a product reads it.
struct PackedMatrix {
  const float*
      panels;  // [panels, in + 1, Kernels::panel]: the bias first; 0 beyond the last column
  int in;
  int out;
};

// Added to the variance of a row before its root is taken.
inline constexpr float kNormEpsilon = 1e-5F;

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
  const float* keys = nullptr;
  const float* values = nullptr;
  std::int64_t stride = 0;
  std::int64_t count = 0;
};

// Where attention to the last match leaves the shares of its memories: those of head h at
// `at + h * stride`.
struct HeadWeights {
  float* at;
  std::int64_t stride;
};

// A query [D] for the last match, and what is added to the scores of each head, [H].
struct MatchQuery {
  const float* query;
  const float* bias;
};
// Memories in two parts, the second behind the first: there may be a gap between them.
struct MatchMemories {
  Memories before;
  Memories behind;
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

  // out = layer norm of x, both [rows, D]; they may be the same. stats [rows, 2]: mean and
  // 1 / standard deviation; may be null.
  void (*norm_rows)(const NormWeights& norm, const float* x, std::int64_t rows, float* out,
                    float* stats);
  // x [rows, columns] becomes f(x). slope [rows, columns]: f'(x); may be null.
  void (*relu_rows)(std::int64_t rows, int columns, float* x, float* slope);
  void (*gelu_rows)(std::int64_t rows, int columns, float* x, float* slope);
  // x [rows, columns] goes to c as far as its gate is open, 1 / (1 + e^-gate).
  void (*gate_rows)(const float* gate, const float* c, std::int64_t rows, int columns, float* x);

  // out [D] = what the query [D] finds. Zeros if there is nothing. scores: room for [count, H],
  // where the weights are left.
  void (*attend)(HeadShape shape, const float* query, const Memories& memories, float* scores,
                 float* out);
  // The same among the slots of a window; scores: room for [S, H], where the weights are left of
  // the slots that are inside of the row.
  void (*attend_window)(HeadShape shape, const WindowSlots& slots, const float* query,
                        WindowMemories memories, float* scores, float* out);
  // Attention to the last match: from the end on each memory takes its share
  // 1 / (1 + e^-(score + bias)) of what those behind it have left over. Reads no further than until
  // nothing is left: what is before costs nothing. But where shares are asked for, which may be
  // null, it leaves those of all memories before the gap.
  void (*attend_last_match)(HeadShape shape, const MatchQuery& query, const MatchMemories& memories,
                            HeadWeights shares, float* out);
  // Attention of each column to the nearest match, out [count, D]: keys take their shares from the
  // nearest to the furthest, of two at the same distance the right one first. room: for
  // nearest_room() floats. shares: for each head nearest_shares() of them, in the order in which
  // they are taken (kernels/nearest_match.h); may be null.
  void (*attend_nearest_match)(HeadShape shape, const NearestColumns& columns, float* room,
                               float* shares, float* out);
};

// Columns that look for their nearest match together.
inline constexpr int kNearestTogether = 8;
// Floats that attention to the nearest match needs for `count` columns.
std::int64_t nearest_room(HeadShape shape, std::int64_t count);
// Shares that it leaves for each head.
std::int64_t nearest_shares(std::int64_t count);

namespace common {
extern const Kernels kKernels;
}
// Only where NRS_KERNEL_COPIES is defined.
namespace avx2 {
extern const Kernels kKernels;
}
namespace avx512 {
extern const Kernels kKernels;
}

// Whether this processor, and the system on it, can run that copy.
bool has_avx2();
bool has_avx512();

// The fastest copy that this processor can run; always the same one.
const Kernels& best_kernels();

}  // namespace nrs::nn
