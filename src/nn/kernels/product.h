#pragma once
// The matrix product: packed rows times the weight of a layer (nn/layers.h).
#include <cstdint>

#include "nn/kernels.h"
#include "nn/kernels/vectors.h"

namespace nrs::nn::NRS_COPY {

// The longest vectors there are: only here do longer ones than Lanes pay.
#ifdef __AVX512F__
using Wide = float __attribute__((vector_size(64)));
inline constexpr int kVectors = 1;  // of a panel
inline constexpr int kRows = 12;    // that are computed together: 12 sums, as below

inline void load(const float* from, Wide& to) {
  to = _mm512_loadu_ps(from);
}
inline void store(const Wide& from, float* to) {
  _mm512_storeu_ps(to, from);
}
inline void add_product(const Wide& a, const Wide& b, Wide& sum) {
  sum = _mm512_fmadd_ps(a, b, sum);
}
#else
using Wide = Lanes;
inline constexpr int kVectors = 2;
inline constexpr int kRows = 6;  // 12 sums fill 16 registers
#endif
inline constexpr int kWide = sizeof(Wide) / sizeof(float);
inline constexpr int kPanel = kVectors * kWide;  // columns that are computed together

// A matrix as the product reads it, and some of its panels.
struct Panels {
  const float* weights;  // [panels, in + 1, kPanel]
  int in;
  int stride;   // of the output
  int columns;  // of the output from here on; only in the last panel fewer than kPanel
};

template <bool kAdd>
void store_all(const Wide& sums, float* out) {
  Wide before{};
  if constexpr (kAdd) load(out, before);
  store(kAdd ? before + sums : sums, out);
}

// The last columns, fewer than a panel.
template <bool kAdd>
void store_some(const Wide (&sums)[kVectors], int columns, float* out) {
  float row[kPanel];
  __builtin_memcpy(row, sums, sizeof row);
  for (int c = 0; c < columns; ++c) out[c] = kAdd ? out[c] + row[c] : row[c];
}

// Some rows times some panels. An element's sum is the same whatever is computed beside it.
template <int kCount, int kPanels, bool kAdd>
void multiply_block(const float* x, const Panels& panels, float* out) {
  Wide sums[kCount][kPanels][kVectors];
  const int size = (panels.in + 1) * kPanel;
  for (int p = 0; p < kPanels; ++p) {
    for (int r = 0; r < kCount; ++r) {
      for (int v = 0; v < kVectors; ++v) load(panels.weights + p * size + v * kWide, sums[r][p][v]);
    }
  }
  const float* weights = panels.weights + kPanel;
  for (int k = 0; k < panels.in; ++k, weights += kPanel) {
    for (int p = 0; p < kPanels; ++p) {
      Wide column[kVectors];
      for (int v = 0; v < kVectors; ++v) load(weights + p * size + v * kWide, column[v]);
      for (int r = 0; r < kCount; ++r) {
        const Wide factor = x[r * panels.in + k] - Wide{};
        for (int v = 0; v < kVectors; ++v) add_product(factor, column[v], sums[r][p][v]);
      }
    }
  }
  for (int r = 0; r < kCount; ++r, out += panels.stride) {
    for (int p = 0; p < kPanels; ++p) {
      float* const to = out + p * kPanel;
      if (const int columns = panels.columns - p * kPanel; columns < kPanel) {
        store_some<kAdd>(sums[r][p], columns, to);
      } else {
        for (int v = 0; v < kVectors; ++v) store_all<kAdd>(sums[r][p][v], to + v * kWide);
      }
    }
  }
}

// Fewer rows go with more panels, so that there are always enough sums to hide how long one
// addition takes.
constexpr int panels_together(int rows) {
  const int fit = kRows / rows, most = 8 / kVectors;
  return fit < most ? fit : most;
}

// kCount rows times all panels.
template <int kCount, bool kAdd>
void multiply_rows(const float* x, Panels panels, float* out) {
  constexpr int kTogether = panels_together(kCount);
  const auto advance = [&](int count) {
    panels.weights += std::int64_t{count} * (panels.in + 1) * kPanel;
    panels.columns -= count * kPanel;
    out += count * kPanel;
  };
  for (; panels.columns > (kTogether - 1) * kPanel; advance(kTogether)) {
    multiply_block<kCount, kTogether, kAdd>(x, panels, out);
  }
  for (; panels.columns > 0; advance(1)) multiply_block<kCount, 1, kAdd>(x, panels, out);
}

// At most kMost rows.
template <int kMost, bool kAdd>
void multiply_rest(const float* x, std::int64_t rows, const Panels& panels, float* out) {
  if constexpr (kMost > 0) {
    if (rows == kMost) {
      multiply_rows<kMost, kAdd>(x, panels, out);
    } else {
      multiply_rest<kMost - 1, kAdd>(x, rows, panels, out);
    }
  }
}

template <bool kAdd>
void multiply(const PackedMatrix& matrix, const float* x, std::int64_t rows, float* out) {
  // Panel by panel, so that a panel stays in the nearest cache for all rows.
  const int in = matrix.in, columns = matrix.out;
  const std::int64_t rest = rows % kRows, whole = rows - rest;
  for (int first = 0; whole > 0 && first < columns; first += kPanel) {
    const Panels panel{matrix.panels + std::int64_t{first} * (in + 1), in, columns,
                       columns - first};
    for (std::int64_t row = 0; row < whole; row += kRows) {
      multiply_block<kRows, 1, kAdd>(x + row * in, panel, out + row * columns + first);
    }
  }
  multiply_rest<kRows - 1, kAdd>(x + whole * in, rest, {matrix.panels, in, columns, columns},
                                 out + whole * columns);
}

}  // namespace nrs::nn::NRS_COPY
