// The formulas that a Selector learns from.
#include <gtest/gtest.h>

#include <algorithm>

#include "learn/examples/example_source.h"
#include "nrs/domain.h"

namespace nrs {
namespace {

// Of 400 draws, those in which brackets are open `depth` times or more.
int deep_ones(const learn::ExampleSource& source, int depth) {
  Rng rng(5);
  int count = 0;
  for (int i = 0; i < 400; ++i) {
    int open = 0, most = 0;
    for (const char c : source.draw(rng, 1).formula) {
      open += (c == '(') - (c == ')');
      most = std::max(most, open);
    }
    if (most >= depth) ++count;
  }
  return count;
}

TEST(DomainSource, DrawsAsDeepAsItIsTold) {
  const auto as_the_paper = learn::make_source({.domains = {"logic"}});
  const auto deep = learn::make_source({.domains = {"logic"}, .deepest = 8});
  EXPECT_EQ(deep_ones(*as_the_paper, 4), 0);
  EXPECT_GT(deep_ones(*deep, 4), 40);
  EXPECT_GT(deep_ones(*deep, 7), 4);
  EXPECT_EQ(deep_ones(*deep, 9), 0);
}

TEST(DomainSource, DeepFormulasAreShort) {
  Rng rng(6);
  for (const char* name : {"logic", "listops", "arithmetic", "algebra"}) {
    const Domain& domain = find_domain(name);
    const auto deep = learn::make_source({.domains = {name}, .deepest = 8});
    for (int i = 0; i < 200; ++i) {
      const data::RewriteExample example = deep->draw(rng, 1);
      EXPECT_LE(example.formula.size(), 400U) << example.formula;
      EXPECT_EQ(example.steps.size(), domain.leaves(example.formula).size());
    }
  }
}

}  // namespace
}  // namespace nrs
