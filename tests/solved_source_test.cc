// What a Neural Data Router learns from.
#include "learn/examples/example_source.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace nrs {
namespace {

TEST(SolvedSource, OpensItsNestingsOneAfterTheOther) {
  recipe::DataConfig config;
  config.domains = {"listops"};
  const auto source = learn::make_solved_source(config);
  const auto deepest = [&](double progress) {
    Rng rng(3);
    int most = 0;
    for (int i = 0; i < 300; ++i) {
      int depth = 0;
      for (const char c : source->draw(rng, progress).formula) {
        depth += (c == '[') - (c == ']');
        most = std::max(most, depth);
      }
    }
    return most;
  };
  EXPECT_EQ(deepest(0), 1);
  EXPECT_EQ(deepest(0.49), 1);
  EXPECT_EQ(deepest(0.5), 2);
  EXPECT_EQ(deepest(0.99), 2);
  EXPECT_EQ(deepest(1), 3);
  EXPECT_EQ(deepest(7), 3);
}

}  // namespace
}  // namespace nrs
