#pragma once
// Short loops over vectors that the kernels are made of. kWidth is their length, or 0: any.
#include "nn/fast_math.h"

namespace nrs::nn::NRS_COPY {

template <int kWidth>
float dot(const float* a, const float* b, int width) {
  const int steps = kWidth > 0 ? kWidth : width;
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int d = 0; d < steps; ++d) sum += a[d] * b[d];
  return sum;
}

template <int kWidth>
void add_scaled(float scale, const float* x, int width, float* out) {
  const int steps = kWidth > 0 ? kWidth : width;
#pragma omp simd
  for (int d = 0; d < steps; ++d) out[d] += scale * x[d];
}

inline void clear(float* x, int width) {
  for (int d = 0; d < width; ++d) x[d] = 0;
}

inline float root(float x) {
  return __builtin_sqrtf(x);
}

}  // namespace nrs::nn::NRS_COPY
