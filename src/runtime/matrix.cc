#include "runtime/matrix.h"

#include <algorithm>
#include <cstring>
#ifdef __FMA__
#include <immintrin.h>
#endif

namespace nrs::runtime {
namespace {

constexpr int kLanes = 8;
constexpr int kPanel = 2 * kLanes;  // columns that are computed together
constexpr int kRows = 6;            // rows likewise: 12 sums fill the registers of AVX2

using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));
// The same anywhere in memory. (Copied with memcpy, halves of it would be stored one by one, and to
// read them back as a whole stalls the processor.)
using LanesInMemory =
    float __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));

// A reference, not a value: without AVX the calling convention has no such type.
inline void add_product(const Lanes& a, const Lanes& b, Lanes& sum) {
#ifdef __FMA__
  // Spelt out: for some processors the compiler splits it in two.
  sum = _mm256_fmadd_ps(a, b, sum);
#else
  sum += a * b;
#endif
}

inline void load(const float* from, Lanes& to) {
  to = *reinterpret_cast<const LanesInMemory*>(from);
}

struct Panel {
  const float* weights;  // [in + 1, kPanel]
  int in;
  int stride;   // of the output
  int columns;  // of the output in this panel, at most kPanel
};

template <bool kAdd>
void store(const Lanes& sums, float* out) {
  auto* to = reinterpret_cast<LanesInMemory*>(out);
  *to = kAdd ? *to + sums : sums;
}

// The last columns, fewer than a panel.
template <bool kAdd>
void store_some(const Lanes (&sums)[2], int columns, float* out) {
  float row[kPanel];
  std::memcpy(row, sums, sizeof row);
  for (int c = 0; c < columns; ++c) out[c] = kAdd ? out[c] + row[c] : row[c];
}

template <int kCount, bool kAdd>
void multiply_rows(const float* x, const Panel& panel, float* out) {
  Lanes sums[kCount][2];
  for (int r = 0; r < kCount; ++r) {
    load(panel.weights, sums[r][0]);
    load(panel.weights + kLanes, sums[r][1]);
  }
  const float* weights = panel.weights + kPanel;
  for (int k = 0; k < panel.in; ++k, weights += kPanel) {
    Lanes left, right;
    load(weights, left);
    load(weights + kLanes, right);
    for (int r = 0; r < kCount; ++r) {
      const Lanes factor = x[r * panel.in + k] - Lanes{};
      add_product(factor, left, sums[r][0]);
      add_product(factor, right, sums[r][1]);
    }
  }
  for (int r = 0; r < kCount; ++r, out += panel.stride) {
    if (panel.columns < kPanel) {
      store_some<kAdd>(sums[r], panel.columns, out);
    } else {
      store<kAdd>(sums[r][0], out);
      store<kAdd>(sums[r][1], out + kLanes);
    }
  }
}

template <bool kAdd>
void multiply_rest(const float* x, std::int64_t rows, const Panel& panel, float* out) {
  switch (rows) {
    case 1:
      return multiply_rows<1, kAdd>(x, panel, out);
    case 2:
      return multiply_rows<2, kAdd>(x, panel, out);
    case 3:
      return multiply_rows<3, kAdd>(x, panel, out);
    case 4:
      return multiply_rows<4, kAdd>(x, panel, out);
    case 5:
      return multiply_rows<5, kAdd>(x, panel, out);
    default:
      return;
  }
}

}  // namespace

LayerMatrix::LayerMatrix(const Weights& weight, const Weights& bias)
    : in_(static_cast<int>(weight.shape.at(1))), out_(static_cast<int>(weight.shape.at(0))) {
  const int panels = (out_ + kPanel - 1) / kPanel;
  const std::int64_t size = std::int64_t{panels} * (in_ + 1) * kPanel;
  float* to = panels_.get(size);
  std::fill_n(to, size, 0.0F);
  for (int o = 0; o < out_; ++o) {
    float* column = to + std::int64_t{o / kPanel} * (in_ + 1) * kPanel + o % kPanel;
    column[0] = bias.values[static_cast<std::size_t>(o)];
    const float* row = weight.values.data() + std::int64_t{o} * in_;
    for (int i = 0; i < in_; ++i) column[(i + 1) * kPanel] = row[i];
  }
}

template <bool kAdd>
void LayerMatrix::run(const float* x, std::int64_t rows, float* out) const {
  for (int first = 0; first < out_; first += kPanel) {
    const Panel panel{panels_.data() + std::int64_t{first} * (in_ + 1), in_, out_,
                      std::min(kPanel, out_ - first)};
    std::int64_t row = 0;
    for (; row + kRows <= rows; row += kRows) {
      multiply_rows<kRows, kAdd>(x + row * in_, panel, out + row * out_ + first);
    }
    multiply_rest<kAdd>(x + row * in_, rows - row, panel, out + row * out_ + first);
  }
}

void LayerMatrix::multiply(const float* x, std::int64_t rows, float* out) const {
  run<false>(x, rows, out);
}

void LayerMatrix::multiply_add(const float* x, std::int64_t rows, float* out) const {
  run<true>(x, rows, out);
}

}  // namespace nrs::runtime
