#pragma once
// Numbers of 16 bits (IEEE 754 binary16), in which weights can be stored. Nothing computes with
// them: compilers of today do not all have the type, and on most processors it is slow.
#include <bit>
#include <cstdint>

namespace nrs::model {

struct Half {
  std::uint16_t bits = 0;

  bool operator==(const Half&) const = default;
};

// The nearest half, the even one of two; infinity from 65,520 on. NaN stays NaN.
inline Half to_half(float value) {
  constexpr std::uint32_t kInfinity = 0x7f800000;
  constexpr std::uint32_t kTooLarge = 0x47800000;  // 65,536
  constexpr std::uint32_t kNormal = 0x38800000;    // 2^-14, the least half with all its digits
  constexpr std::uint32_t kBias = 127 - 15;        // between the exponents of the two types
  const std::uint32_t all = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = all >> 16U & 0x8000U;
  std::uint32_t size = all & 0x7fffffffU;
  if (size > kInfinity) {
    size = 0x7e00;
  } else if (size >= kTooLarge) {
    size = 0x7c00;
  } else if (size < kNormal) {
    // The last bit of 0.5 is worth 2^-24, as that of these halves: the addition rounds.
    size = std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) + 0.5F) -
           std::bit_cast<std::uint32_t>(0.5F);
  } else {
    const std::uint32_t odd = size >> 13U & 1U;
    size = (size + 0xfffU + odd - (kBias << 23U)) >> 13U;
  }
  return {static_cast<std::uint16_t>(sign | size)};
}

// Exact: every half is a float.
inline float to_float(Half half) {
  const std::uint32_t sign = (half.bits & 0x8000U) << 16U;
  const std::uint32_t size = half.bits & 0x7fffU;
  std::uint32_t bits = 0;
  if (size >= 0x7c00U) {
    bits = 0x7f800000U | (size & 0x3ffU) << 13U;
  } else if (size < 0x400U) {
    bits = std::bit_cast<std::uint32_t>(static_cast<float>(size) * 0x1p-24F);
  } else {
    bits = (size + ((127U - 15U) << 10U)) << 13U;
  }
  return std::bit_cast<float>(sign | bits);
}

}  // namespace nrs::model
