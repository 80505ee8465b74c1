#include "data/example.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "property.h"

namespace nrs::data {
namespace {

TEST(Example, HoldsAllLeavesWithTheirValues) {
  const RewriteExample example = make_example(find_domain("listops"), "[MIN[MAX10][MIN97]]");
  EXPECT_FALSE(example.final);
  EXPECT_EQ(example.steps, (std::vector<Step>{{{4, 11}, "1"}, {{11, 18}, "7"}}));
  EXPECT_EQ(leaf_mask(example), "0000111111111111110");
}

TEST(Example, AnAtomIsFinalAndAllMarked) {
  const RewriteExample example = make_example(find_domain("arithmetic"), "-48");
  EXPECT_TRUE(example.final);
  EXPECT_TRUE(example.steps.empty());
  EXPECT_EQ(leaf_mask(example), "111");
}

TEST(Example, MasksCoverExactlyTheLeaves) {
  check_law("mask", [] {
    const AnyFormula any = any_formula();
    const RewriteExample example = make_example(*any.domain, any.sample.formula);
    const std::string mask = leaf_mask(example);
    RC_ASSERT(mask.size() == any.sample.formula.size());
    std::string expected(mask.size(), any.shape.nesting == 0 ? '1' : '0');
    for (const Span leaf : any.domain->leaves(any.sample.formula)) {
      std::fill(expected.begin() + static_cast<std::ptrdiff_t>(leaf.begin),
                expected.begin() + static_cast<std::ptrdiff_t>(leaf.end), '1');
    }
    RC_ASSERT(mask == expected);
  });
}

TEST(RewriteLast, TakesTheLastLeafAndMergesSignsIfTheFormulaDid) {
  const Domain& arithmetic = find_domain("arithmetic");
  std::string formula = "((7*2)-(-68+23))";
  EXPECT_TRUE(rewrite_last(arithmetic, 1, /*merge_signs=*/true, formula));
  EXPECT_EQ(formula, "((7*2)+45)");
  formula = "((7*2)-(-68+23))";
  EXPECT_TRUE(rewrite_last(arithmetic, 1, /*merge_signs=*/false, formula));
  EXPECT_EQ(formula, "((7*2)--45)");
  EXPECT_FALSE(rewrite_last(arithmetic, 2, /*merge_signs=*/false, formula));  // nothing but an atom
  EXPECT_EQ(formula, "59");
  EXPECT_FALSE(rewrite_last(arithmetic, 1, /*merge_signs=*/false, formula));
}

TEST(RewriteLast, KeepsTheValue) {
  check_law("value", [] {
    const AnyFormula any = any_formula(4);
    std::string formula = any.sample.formula;
    while (!any.domain->is_atom(formula)) {
      rewrite_last(*any.domain, 1, any.sample.signs_merged, formula);
    }
    RC_ASSERT(formula == any.sample.value);
  });
}

TEST(RewritePartly, StopsBeforeAnAtomAndKeepsTheValue) {
  int changed = 0;
  for (int nesting = 1; nesting <= 4; ++nesting) {
    for (std::uint64_t i = 0; i < 50; ++i) {
      const Domain& domain = find_domain("arithmetic");
      Rng rng(static_cast<std::uint64_t>(nesting), i);
      Sample sample;
      domain.generate({.nesting = nesting, .args = 2}, rng, sample);
      const std::string whole = sample.formula;
      rewrite_partly(domain, nesting, rng, sample);
      changed += sample.formula != whole ? 1 : 0;
      EXPECT_FALSE(domain.is_atom(sample.formula)) << whole;
      std::string end = sample.formula;
      while (rewrite_last(domain, 1, sample.signs_merged, end)) continue;
      EXPECT_EQ(end, sample.value) << whole;
      if (nesting == 1) {
        EXPECT_EQ(sample.formula, whole);
      }
    }
  }
  EXPECT_GT(changed, 40);
}

TEST(RewriteSome, LeavesSomeStandingAndEndsInTheValue) {
  const Domain& arithmetic = find_domain("arithmetic");
  Rng rng(3);
  bool first_stood = false;
  bool last_stood = false;
  for (int i = 0; i < 50; ++i) {
    std::string formula = "((1+2)*(3-4))";
    EXPECT_TRUE(rewrite_some(arithmetic, 0.5, rng, formula));
    first_stood |= formula == "((1+2)*-1)";
    last_stood |= formula == "(3*(3-4))";
    while (rewrite_some(arithmetic, 0.5, rng, formula)) {
    }
    EXPECT_EQ(formula, "-3");
  }
  EXPECT_TRUE(first_stood && last_stood);
}

}  // namespace
}  // namespace nrs::data
