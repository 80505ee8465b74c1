// Numbers of 16 bits: exact one way, the nearest the other.
#include "model/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace nrs::model {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Half half(unsigned bits) {
  return {static_cast<std::uint16_t>(bits)};
}

TEST(Half, KnowsItsNumbers) {
  EXPECT_EQ(to_float(half(0x3c00)), 1.0F);
  EXPECT_EQ(to_float(half(0xc000)), -2.0F);
  EXPECT_EQ(to_float(half(0x7bff)), 65504.0F);
  EXPECT_EQ(to_float(half(0x0400)), 0x1p-14F);
  EXPECT_EQ(to_float(half(0x0001)), 0x1p-24F);
  EXPECT_EQ(to_float(half(0x3555)), 0x1.554p-2F);
  EXPECT_EQ(to_float(half(0xfc00)), -kInfinity);
  EXPECT_TRUE(std::isnan(to_float(half(0x7c01))));
  EXPECT_TRUE(std::signbit(to_float(half(0x8000))));
}

TEST(Half, EveryHalfComesBack) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float value = to_float(half(bits));
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(to_float(to_half(value)))) << bits;
    } else {
      ASSERT_EQ(to_half(value), half(bits)) << bits;
    }
  }
}

// Between any two neighbours: nearer to one, nearer to the other, and just between them, where the
// even one is taken.
TEST(Half, RoundsToTheNearest) {
  for (unsigned bits = 0; bits < 0x7bff; ++bits) {
    const float low = to_float(half(bits));
    const float high = to_float(half(bits + 1));
    const float middle = (low + high) / 2;
    const unsigned even = bits + (bits & 1U);
    ASSERT_EQ(to_half(std::nextafter(middle, low)), half(bits)) << bits;
    ASSERT_EQ(to_half(std::nextafter(middle, high)), half(bits + 1)) << bits;
    ASSERT_EQ(to_half(middle), half(even)) << bits;
    ASSERT_EQ(to_half(-middle), half(even | 0x8000U)) << bits;
  }
}

TEST(Half, WhatIsTooLargeIsInfinite) {
  EXPECT_EQ(to_half(std::nextafter(65520.0F, 0.0F)), half(0x7bff));
  EXPECT_EQ(to_half(65520.0F), half(0x7c00));
  EXPECT_EQ(to_half(-1e30F), half(0xfc00));
  EXPECT_EQ(to_half(kInfinity), half(0x7c00));
}

}  // namespace
}  // namespace nrs::model
