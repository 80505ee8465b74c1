#pragma once
// Short loops over vectors that the kernels are made of. kWidth is their length, or 0: any.
#ifdef __AVX__
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

inline void load(const float* from, Lanes& to) {
#ifdef __AVX__
  to = _mm256_loadu_ps(from);  // Clang forgets the alignment of a vector type that is const
#else
  __builtin_memcpy(&to, from, sizeof to);
#endif
}

inline void store(const Lanes& from, float* to) {
#ifdef __AVX__
  _mm256_storeu_ps(to, from);
#else
  // Copied with memcpy, halves of it would be stored one by one, and to read them back as a whole
  // stalls the processor.
  using InMemory = float __attribute__((vector_size(sizeof from), aligned(4), may_alias));
  *reinterpret_cast<InMemory*>(to) = from;
#endif
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

// Sums of two neighbours each: those of a, then those of b. (With eight lanes of the first half of
// a, of b, and then of the second halves.)
inline Lanes add_neighbours(const Lanes& a, const Lanes& b) {
#ifdef __AVX__
  return __builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14) +
         __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15);
#else
  return __builtin_shufflevector(a, b, 0, 2, 4, 6) + __builtin_shufflevector(a, b, 1, 3, 5, 7);
#endif
}

// The sums of four vectors.
using Four = float __attribute__((vector_size(16)));
using FourInMemory = float __attribute__((vector_size(16), aligned(4), may_alias));
inline Four add_up(const Lanes (&sums)[4]) {
  const Lanes all =
      add_neighbours(add_neighbours(sums[0], sums[1]), add_neighbours(sums[2], sums[3]));
#ifdef __AVX__
  return __builtin_shufflevector(all, all, 0, 1, 2, 3) +
         __builtin_shufflevector(all, all, 4, 5, 6, 7);
#else
  return all;
#endif
}

// The dot product of each head's part of a and b, out [heads]. Four heads are added up together:
// that takes longer than the products.
template <int kWidth>
void dot_heads(const float* a, const float* b, int heads, int width, float* out) {
  int head = 0;
  if constexpr (kWidth > 0 && kWidth % kLanes == 0) {
    for (; head + 4 <= heads; head += 4) {
      Lanes sums[4] = {};
      for (Lanes& sum : sums) {
        for (int d = 0; d < kWidth; d += kLanes, a += kLanes, b += kLanes) {
          Lanes left, right;
          load(a, left);
          load(b, right);
          add_product(left, right, sum);
        }
      }
      *reinterpret_cast<FourInMemory*>(out + head) = add_up(sums);
    }
  }
  for (; head < heads; ++head, a += width, b += width) out[head] = dot<kWidth>(a, b, width);
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
