#pragma once
// Short loops over vectors that the kernels are made of. kWidth is their length, or 0: any.
#ifdef __FMA__
#include <immintrin.h>
#endif

#include "nn/fast_math.h"

namespace nrs::nn::NRS_COPY {

// As many as a register has: of vectors that are longer the compiler makes code that is many times
// slower.
#ifdef __AVX__
inline constexpr int kLanes = 8;
#else
inline constexpr int kLanes = 4;
#endif

using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));
// The same anywhere in memory. (Copied with memcpy, halves of it would be stored one by one, and to
// read them back as a whole stalls the processor.)
using LanesInMemory =
    float __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));

inline void load(const float* from, Lanes& to) {
  to = *reinterpret_cast<const LanesInMemory*>(from);
}

inline void add_product(const Lanes& a, const Lanes& b, Lanes& sum) {
#ifdef __FMA__
  // Spelt out: for some processors the compiler splits it in two.
  sum = _mm256_fmadd_ps(a, b, sum);
#else
  sum += a * b;
#endif
}

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
