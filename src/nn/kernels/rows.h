#pragma once
// What is done with each number of a row, or with a row by itself.
#include <cstdint>

#include "nn/fast_math.h"
#include "nn/kernels.h"
#include "nn/kernels/vectors.h"

namespace nrs::nn::NRS_COPY {

inline float total_of(const Lanes (&sums)[4]) {
  const Four four = add_up(sums);
  return (four[0] + four[1]) + (four[2] + four[3]);
}

// Rows of a known width stay in registers, and are added up in four sums at a time: one sum would
// wait for itself.
template <int kDim>
void norm_known_rows(const NormWeights& norm, const float* x, std::int64_t rows, float* out,
                     float* stats) {
  constexpr int kParts = kDim / kLanes;
  constexpr auto kCount = static_cast<float>(kDim);
  for (std::int64_t row = 0; row < rows; ++row, x += kDim, out += kDim) {
    Lanes parts[kParts], sums[4] = {}, squares[4] = {};
    for (int p = 0; p < kParts; ++p) {
      load(x + p * kLanes, parts[p]);
      sums[p % 4] += parts[p];
    }
    const float mean = total_of(sums) / kCount;
    for (int p = 0; p < kParts; ++p) {
      parts[p] -= mean;
      add_product(parts[p], parts[p], squares[p % 4]);
    }
    const float inverse = 1.0F / root(total_of(squares) / kCount + kNormEpsilon);
    for (int p = 0; p < kParts; ++p) {
      Lanes gamma, beta;
      load(norm.gamma + p * kLanes, gamma);
      load(norm.beta + p * kLanes, beta);
      store(parts[p] * inverse * gamma + beta, out + p * kLanes);
    }
    if (stats == nullptr) continue;
    stats[2 * row] = mean;
    stats[2 * row + 1] = inverse;
  }
}

inline void norm_any_rows(const NormWeights& norm, const float* x, std::int64_t rows, float* out,
                          float* stats) {
  const int dim = norm.dim;
  for (std::int64_t row = 0; row < rows; ++row, x += dim, out += dim) {
    float total = 0, squares = 0;
#pragma omp simd reduction(+ : total)
    for (int d = 0; d < dim; ++d) total += x[d];
    const float mean = total / static_cast<float>(dim);
#pragma omp simd reduction(+ : squares)
    for (int d = 0; d < dim; ++d) squares += (x[d] - mean) * (x[d] - mean);
    const float inverse = 1.0F / root(squares / static_cast<float>(dim) + kNormEpsilon);
#pragma omp simd
    for (int d = 0; d < dim; ++d) out[d] = (x[d] - mean) * inverse * norm.gamma[d] + norm.beta[d];
    if (stats == nullptr) continue;
    stats[2 * row] = mean;
    stats[2 * row + 1] = inverse;
  }
}

inline void norm_rows(const NormWeights& norm, const float* x, std::int64_t rows, float* out,
                      float* stats) {
  with_width(norm.dim, [&](auto dim) {
    if constexpr (dim() > 0) {
      norm_known_rows<dim()>(norm, x, rows, out, stats);
    } else {
      norm_any_rows(norm, x, rows, out, stats);
    }
  });
}

inline void relu_rows(std::int64_t rows, int columns, float* x, float* slope) {
  for (std::int64_t i = 0; slope != nullptr && i < rows * columns; ++i) {
    slope[i] = x[i] > 0 ? 1.0F : 0.0F;
  }
  for (std::int64_t i = 0; i < rows * columns; ++i) x[i] = x[i] < 0 ? 0.0F : x[i];  // NaN stays
}

// Here and below row by row: the end of a row must not depend on where the row lies.
template <bool kSlope>
void gelu_rows(std::int64_t rows, int columns, float* x, float* slope) {
  for (std::int64_t row = 0; row < rows; ++row, x += columns) {
#pragma omp simd
    for (int d = 0; d < columns; ++d) {
      const ValueAndSlope result = gelu(x[d]);
      x[d] = result.value;
      if constexpr (kSlope) slope[row * columns + d] = result.slope;
    }
  }
}
inline void gelu_rows(std::int64_t rows, int columns, float* x, float* slope) {
  (slope == nullptr ? gelu_rows<false> : gelu_rows<true>)(rows, columns, x, slope);
}

inline void gate_rows(const float* gate, const float* c, std::int64_t rows, int columns, float* x) {
  for (std::int64_t row = 0; row < rows; ++row, x += columns, gate += columns, c += columns) {
#pragma omp simd
    for (int d = 0; d < columns; ++d) {
      const float open = 1.0F / (1.0F + fast_exp(-gate[d]));
      x[d] += open * (c[d] - x[d]);
    }
  }
}

}  // namespace nrs::nn::NRS_COPY
