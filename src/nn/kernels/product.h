#pragma once
// The matrix product: packed rows times the weight of a layer (nn/matrix.h).
#include <cstdint>

#include "nn/kernels.h"
#include "nn/kernels/vectors.h"

namespace nrs::nn::NRS_COPY {

inline constexpr int kPanel = 2 * kLanes;  // columns that are computed together
inline constexpr int kRows = 6;            // rows likewise: 12 sums fill 16 registers

// A matrix as the product reads it, and some of its panels.
struct Panels {
  const float* weights;  // [panels, in + 1, kPanel]
  int in;
  int stride;   // of the output
  int columns;  // of the output from here on; only in the last panel fewer than kPanel
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
  __builtin_memcpy(row, sums, sizeof row);
  for (int c = 0; c < columns; ++c) out[c] = kAdd ? out[c] + row[c] : row[c];
}

// Some rows times some panels. An element's sum is the same whatever is computed beside it.
template <int kCount, int kPanels, bool kAdd>
void multiply_block(const float* x, const Panels& panels, float* out) {
  Lanes sums[kCount][kPanels][2];
  const int size = (panels.in + 1) * kPanel;
  for (int p = 0; p < kPanels; ++p) {
    for (int r = 0; r < kCount; ++r) {
      load(panels.weights + p * size, sums[r][p][0]);
      load(panels.weights + p * size + kLanes, sums[r][p][1]);
    }
  }
  const float* weights = panels.weights + kPanel;
  for (int k = 0; k < panels.in; ++k, weights += kPanel) {
    for (int p = 0; p < kPanels; ++p) {
      Lanes left, right;
      load(weights + p * size, left);
      load(weights + p * size + kLanes, right);
      for (int r = 0; r < kCount; ++r) {
        const Lanes factor = x[r * panels.in + k] - Lanes{};
        add_product(factor, left, sums[r][p][0]);
        add_product(factor, right, sums[r][p][1]);
      }
    }
  }
  for (int r = 0; r < kCount; ++r, out += panels.stride) {
    for (int p = 0; p < kPanels; ++p) {
      if (const int columns = panels.columns - p * kPanel; columns < kPanel) {
        store_some<kAdd>(sums[r][p], columns, out + p * kPanel);
      } else {
        store<kAdd>(sums[r][p][0], out + p * kPanel);
        store<kAdd>(sums[r][p][1], out + p * kPanel + kLanes);
      }
    }
  }
}

// kCount rows times all panels. Fewer rows go with more panels, so that there are always enough
// sums to hide how long one addition takes.
template <int kCount, bool kAdd>
void multiply_rows(const float* x, Panels panels, float* out) {
  constexpr int kTogether = kCount == 1 ? 4 : kCount == 2 ? 3 : kCount == 3 ? 2 : 1;
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

template <bool kAdd>
void multiply_rest(const float* x, std::int64_t rows, const Panels& panels, float* out) {
  switch (rows) {
    case 1:
      return multiply_rows<1, kAdd>(x, panels, out);
    case 2:
      return multiply_rows<2, kAdd>(x, panels, out);
    case 3:
      return multiply_rows<3, kAdd>(x, panels, out);
    case 4:
      return multiply_rows<4, kAdd>(x, panels, out);
    case 5:
      return multiply_rows<5, kAdd>(x, panels, out);
    default:
      return;
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
  multiply_rest<kAdd>(x + whole * in, rest, {matrix.panels, in, columns, columns},
                      out + whole * columns);
}

}  // namespace nrs::nn::NRS_COPY
