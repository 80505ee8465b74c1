#pragma once
// Small functions that the compiler turns into vector code inside the loops of training and of
// running a model.
//
// Some of these loops are compiled once for each kind of processor (nn/kernels.h), with
// NRS_COPY as the name of the kind. Each copy has functions of its own: if two had the same name,
// the linker would keep one, and a processor might meet instructions that it does not have. For the
// same reason there are no functions of the standard library here, which do not have a copy each.
#include <cstdint>
#include <type_traits>

#ifndef NRS_COPY
#define NRS_COPY common  // for the processor that all else is compiled for
#endif

namespace nrs::nn::NRS_COPY {

// As std::max and std::min: the first if one of them is NaN.
inline float larger(float a, float b) {
  return a < b ? b : a;
}
inline float smaller(float a, float b) {
  return b < a ? b : a;
}

// e^x to float accuracy for x in [-87, 88], clamped outside; NaN stays NaN. Branch-free.
inline float fast_exp(float x) {
  constexpr float kLog2E = 1.44269504F;
  constexpr float kLn2High = 0.693145752F;   // ln 2 in two parts, the first with few bits, so that
  constexpr float kLn2Low = 1.42860677e-6F;  // n * kLn2High is exact
  constexpr float kRound = 12582912.0F;      // 1.5 * 2^23: adding it rounds to an integer
  x = smaller(larger(x, -87.0F), 88.0F);
  const float shifted = x * kLog2E + kRound;
  const float n = shifted - kRound;
  const float r = (x - n * kLn2High) - n * kLn2Low;  // |r| <= ln 2 / 2: a short Taylor series does
  float p = 1.0F / 5040;
  p = p * r + 1.0F / 720;
  p = p * r + 1.0F / 120;
  p = p * r + 1.0F / 24;
  p = p * r + 1.0F / 6;
  p = p * r + 0.5F;
  p = p * r + 1.0F;
  p = p * r + 1.0F;
  // The last bits of `shifted` are those of n: NaN, which is no integer, needs no conversion.
  const std::uint32_t power = (__builtin_bit_cast(std::uint32_t, shifted) + 127U) << 23U;
  return p * __builtin_bit_cast(float, power);
}

// GELU (the exact one, with erf) and its slope.
struct ValueAndSlope {
  float value;
  float slope;
};
inline ValueAndSlope gelu(float x) {
  // The complement of erf by Abramowitz and Stegun 7.1.28, which needs no exponential. Its error of
  // 3e-7 is that of a few roundings.
  const float z = larger(x, -x) * 0.70710678F;
  float p = 0.0000430638F;
  p = p * z + 0.0002765672F;
  p = p * z + 0.0001520143F;
  p = p * z + 0.0092705272F;
  p = p * z + 0.0422820123F;
  p = p * z + 0.0705230784F;
  p = p * z + 1.0F;
  p *= p;  // to the sixteenth power
  p *= p;
  p *= p;
  p *= p;
  const float tail = 0.5F / p;  // P(Z > |x|)
  const float phi = x < 0 ? tail : 1.0F - tail;
  const float bell = fast_exp(-z * z);
  return {x * phi, phi + x * bell * 0.39894228F};
}

// 1 / (1 + e^-x) of scale * scores + bias, in place: the share that each key takes of what the keys
// behind it have left over.
inline void match_shares(float* scores, std::int64_t count, float scale, float bias) {
#pragma omp simd
  for (std::int64_t j = 0; j < count; ++j) {
    scores[j] = 1.0F / (1.0F + fast_exp(-(scale * scores[j] + bias)));
  }
}

// Calls the function made for this width of a head, which the compiler can unroll, or the one for
// any width (0).
template <class Call>
void with_width(int width, const Call& call) {
  switch (width) {
    case 8:
      return call(std::integral_constant<int, 8>());
    case 16:
      return call(std::integral_constant<int, 16>());
    case 24:
      return call(std::integral_constant<int, 24>());
    case 32:
      return call(std::integral_constant<int, 32>());
    case 64:
      return call(std::integral_constant<int, 64>());
    default:
      return call(std::integral_constant<int, 0>());
  }
}

}  // namespace nrs::nn::NRS_COPY
