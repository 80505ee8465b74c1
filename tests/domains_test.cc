// The four domains: exact semantics, enumeration, generation.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/rng.h"
#include "nrs/domain.h"
#include "nrs/error.h"
#include "property.h"
#include "rewrite/modular.h"
#include "rewrite/oracle.h"

namespace nrs {
namespace {

std::string value_of(const char* domain, std::string_view leaf) {
  return find_domain(domain).value(leaf).value_or("no value");
}

TEST(Arithmetic, KeepsTheSignWhenItCutsToTwoDigits) {
  EXPECT_EQ(value_of("arithmetic", "(28*-16)"), "-48");
  EXPECT_EQ(value_of("arithmetic", "(-66*-40)"), "40");
  EXPECT_EQ(value_of("arithmetic", "(-39+-61)"), "0");
  EXPECT_EQ(value_of("arithmetic", "(50*2)"), "0");
  EXPECT_EQ(value_of("arithmetic", "(34--58)"), "92");
  EXPECT_EQ(value_of("arithmetic", "(-99--99)"), "0");
  EXPECT_EQ(value_of("arithmetic", "(5-3)"), "2");
}

TEST(Arithmetic, HasNoValueForWhatIsNoLeaf) {
  for (const char* text : {"", "()", "(5)", "(5+)", "(+5+3)", "(05+3)", "(-0+3)", "(100+3)", "5+3",
                           "(5+3", "(5+3+2)", "(5++3)", "(5---3)", "((5+3)+2)", "(5/3)"}) {
    EXPECT_EQ(value_of("arithmetic", text), "no value") << text;
  }
}

TEST(ListOps, FoldsItsDigits) {
  EXPECT_EQ(value_of("listops", "[MIN39]"), "3");
  EXPECT_EQ(value_of("listops", "[MAX477]"), "7");
  EXPECT_EQ(value_of("listops", "[SM9968]"), "2");
  for (const char* text : {"[MIN3]", "[MIN]", "[MIN12345]", "[MED12]", "[SM1[SM12]]", "MIN12"}) {
    EXPECT_EQ(value_of("listops", text), "no value") << text;
  }
}

TEST(Logic, GivesTheValuesThatDoNotDependOnLetters) {
  EXPECT_EQ(value_of("logic", "(!T)"), "F");
  EXPECT_EQ(value_of("logic", "(q&F)"), "F");
  EXPECT_EQ(value_of("logic", "(q|T)"), "T");
  EXPECT_EQ(value_of("logic", "(q&T)"), "q");
  EXPECT_EQ(value_of("logic", "(F|q)"), "q");
  EXPECT_EQ(value_of("logic", "(q|q)"), "q");
  EXPECT_EQ(value_of("logic", "(T&F)"), "F");
  EXPECT_EQ(value_of("logic", "(p&q)"), "no value");
  EXPECT_EQ(value_of("logic", "(!q)"), "no value");
}

TEST(Algebra, AddsLikeMonomials) {
  EXPECT_EQ(value_of("algebra", "(+16*y-12*y)"), "+4*y");
  EXPECT_EQ(value_of("algebra", "(+5*x+-3*x)"), "+2*x");
  EXPECT_EQ(value_of("algebra", "(-17*x++88*x)"), "+71*x");
  EXPECT_EQ(value_of("algebra", "(+58*a*b*x+27*a*b*x)"), "+85*a*b*x");
  EXPECT_EQ(value_of("algebra", "(+x*y-2*x*y)"), "-x*y");
  EXPECT_EQ(value_of("algebra", "(+x-x)"), "+0*x");
  EXPECT_EQ(value_of("algebra", "(-60*y-50*y)"), "-10*y");
  EXPECT_EQ(value_of("algebra", "(+0*x++0*x)"), "+0*x");
  for (const char* text :
       {"(+5*x+3*y)", "(+5*x)", "(5*x+3*x)", "(+1*x+3*x)", "(+05*x+3*x)", "(+5*y*x+3*y*x)",
        "(-0*x+3*x)", "(+5*a+3*a)", "(+100*x+3*x)", "(+5*x+++3*x)", "(+5x+3*x)", "(+5*x*+3*x)"}) {
    EXPECT_EQ(value_of("algebra", text), "no value") << text;
  }
}

struct Counts {
  const char* domain;
  std::size_t leaves;
  std::size_t atoms;
};
std::ostream& operator<<(std::ostream& out, const Counts& counts) {
  return out << counts.domain;
}
class Enumeration : public testing::TestWithParam<Counts> {};

TEST_P(Enumeration, ListsEachLeafAndAtomOnceWithItsValue) {
  const Domain& domain = find_domain(GetParam().domain);
  std::set<std::string> leaves;
  domain.for_each_leaf(FormulaSpace::kWhole, [&](std::string_view leaf, std::string_view value) {
    leaves.emplace(leaf);
    ASSERT_EQ(domain.value(leaf), std::string(value)) << leaf;
    ASSERT_TRUE(domain.is_atom(value)) << value;
    ASSERT_LE(leaf.size(), domain.longest_leaf());
  });
  EXPECT_EQ(leaves.size(), GetParam().leaves);
  std::set<std::string> atoms;
  domain.for_each_atom([&](std::string_view atom) {
    atoms.emplace(atom);
    ASSERT_TRUE(domain.is_atom(atom)) << atom;
    ASSERT_FALSE(domain.value(atom));
    ASSERT_EQ(domain.read(atom), atom);
  });
  EXPECT_EQ(atoms.size(), GetParam().atoms);
}

// The leaf space of a domain: every formula that it reads and whose arguments are atoms. What is
// enumerated must be just this, told apart by whether there is a value.
class LeafSpace : public testing::TestWithParam<const Domain*> {
 protected:
  void SetUp() override {
    domain().for_each_leaf(FormulaSpace::kWhole, [&](std::string_view leaf, std::string_view) {
      ASSERT_TRUE(leaves_.emplace(leaf).second) << leaf;
    });
    domain().for_each_valueless(
        [&](std::string_view text) { ASSERT_TRUE(valueless_.emplace(text).second) << text; });
  }
  static const Domain& domain() { return *GetParam(); }

  // Of a text that may be anything.
  void expect_enumerated_if_read(const std::string& text) {
    std::string formula;
    try {
      formula = domain().read(text);
    } catch (const Error&) {
      EXPECT_FALSE(leaves_.contains(text) || valueless_.contains(text)) << text;
      return;
    }
    if (domain().nesting(formula) != 1) return;
    EXPECT_EQ(leaves_.contains(formula), domain().value(formula).has_value()) << formula;
    EXPECT_NE(leaves_.contains(formula), valueless_.contains(formula)) << formula;
  }

  std::set<std::string, std::less<>> leaves_;
  std::set<std::string, std::less<>> valueless_;
};

TEST_P(LeafSpace, WhatIsEnumeratedIsRead) {
  for (const auto* texts : {&leaves_, &valueless_}) {
    for (const std::string& text : *texts) {
      ASSERT_EQ(domain().read(text), text);
      ASSERT_EQ(domain().nesting(text), 1);
      ASSERT_EQ(domain().value(text).has_value(), texts == &leaves_);
    }
  }
}

TEST_P(LeafSpace, WhatIsReadIsEnumerated) {
  // Leaves with up to three characters changed, among them many that are leaves again.
  const std::vector<std::string> leaves(leaves_.begin(), leaves_.end());
  const std::string_view alphabet = domain().alphabet();
  Rng rng(17);
  for (int i = 0; i < 100'000; ++i) {
    std::string text = leaves[rng.below(leaves.size())];
    for (std::uint64_t changes = rng.between(1, 3); changes > 0 && !text.empty(); --changes) {
      const std::size_t at = rng.below(text.size());
      const char other = alphabet[rng.below(alphabet.size())];
      const std::uint64_t kind = rng.below(3);
      if (kind == 0) text[at] = other;
      if (kind == 1) text.insert(at, 1, other);
      if (kind == 2) text.erase(at, 1);
    }
    expect_enumerated_if_read(text);
  }
}

TEST_P(LeafSpace, EveryShortTextIsEnumeratedIfRead) {
  const std::string_view alphabet = domain().alphabet();
  if (alphabet.size() * alphabet.size() * alphabet.size() > 40'000)
    GTEST_SKIP() << "too many texts";
  const char open = leaves_.begin()->front();
  const char close = leaves_.begin()->back();
  for (const char a : alphabet) {
    for (const char b : alphabet) {
      expect_enumerated_if_read({open, a, b, close});
      for (const char c : alphabet) expect_enumerated_if_read({open, a, b, c, close});
    }
  }
}

TEST_P(LeafSpace, ThePapersLeavesAreAPartOfIt) {
  domain().for_each_leaf(FormulaSpace::kPaper, [&](std::string_view leaf, std::string_view) {
    ASSERT_TRUE(leaves_.contains(leaf)) << leaf;
  });
}

INSTANTIATE_TEST_SUITE_P(All, LeafSpace,
                         testing::ValuesIn(all_domains().begin(), all_domains().end()),
                         [](const auto& p) { return std::string(p.param->name()); });

TEST(Logic, ThePaperKnowsFewerLeaves) {
  std::size_t leaves = 0;
  find_domain("logic").for_each_leaf(FormulaSpace::kPaper,
                                     [&](std::string_view, std::string_view) { ++leaves; });
  EXPECT_EQ(leaves, 166);
  std::size_t valueless = 0;
  find_domain("logic").for_each_valueless([&](std::string_view) { ++valueless; });
  EXPECT_EQ(valueless, 1326);
}

INSTANTIATE_TEST_SUITE_P(All, Enumeration,
                         testing::Values(Counts{"logic", 270, 28}, Counts{"listops", 33300, 10},
                                         Counts{"arithmetic", 118803, 199},
                                         Counts{"algebra", 950424, 2388}),
                         [](const auto& p) { return std::string(p.param.domain); });

TEST(Domains, ListableShapesHaveAsManyFormulasAsTheySay) {
  for (const Domain* domain : all_domains()) {
    for (int nesting = 0; nesting <= 2; ++nesting) {
      for (int args = 2; args <= domain->most_args(); ++args) {
        const Shape shape{nesting, args};
        const auto count = domain->listable(shape);
        if (!count || *count > 500000) continue;
        std::set<std::string> formulas;
        domain->for_each_formula(
            shape, [&](std::string_view formula, std::string_view) { formulas.emplace(formula); });
        EXPECT_EQ(formulas.size(), *count) << domain->name() << nesting << args;
      }
    }
  }
}

TEST(Domains, GeneratedFormulasHaveTheShapeThatWasAskedFor) {
  check_law("shape", [] {
    const AnyFormula any = any_formula(6);
    const std::string& formula = any.sample.formula;
    RC_ASSERT(any.domain->nesting(formula) == any.shape.nesting);
    RC_ASSERT(formula.size() <= any.domain->longest_formula(any.shape));
    RC_ASSERT(formula.find_first_not_of(any.domain->alphabet()) == std::string::npos);
    RC_ASSERT(any.domain->is_atom(any.sample.value));
  });
}

TEST(Domains, FullTreesDoubleTheirOperandsPerLevel) {
  Rng rng(5);
  Sample sample;
  for (int nesting = 1; nesting <= 6; ++nesting) {
    const auto operators = (1 << nesting) - 1;
    for (const char* name : {"arithmetic", "algebra"}) {
      find_domain(name).generate({nesting, 2}, rng, sample);
      EXPECT_EQ(std::count(sample.formula.begin(), sample.formula.end(), '('), operators);
    }
    for (int args = 2; args <= 4; ++args) {
      find_domain("listops").generate({nesting, args}, rng, sample);
      EXPECT_EQ(std::count(sample.formula.begin(), sample.formula.end(), '['), operators);
      const auto digits = std::count_if(sample.formula.begin(), sample.formula.end(),
                                        [](char c) { return c >= '0' && c <= '9'; });
      EXPECT_EQ(digits, (1 << nesting) + (args - 2) * operators);
    }
  }
}

TEST(Domains, FourFifthsOfSignedFormulasHaveMergedSigns) {
  Rng rng(6);
  Sample sample;
  for (const char* name : {"arithmetic", "algebra"}) {
    const Domain& domain = find_domain(name);
    int merged = 0;
    for (int i = 0; i < 5000; ++i) {
      domain.generate({3, 2}, rng, sample);
      merged += sample.signs_merged;
      std::string again = sample.formula;
      domain.merge_signs(again);
      if (sample.signs_merged) {
        ASSERT_EQ(again, sample.formula);
      }
    }
    EXPECT_NEAR(merged, 4000, 150) << name;
  }
}

TEST(Domains, OperatorsAndAnswersAreDrawnAsInThePaper) {
  Rng rng(7);
  Sample sample;
  std::map<char, int> operators;
  for (int i = 0; i < 30000; ++i) {
    find_domain("arithmetic").generate({1, 2}, rng, sample);
    if (sample.formula.find('*') != std::string::npos) ++operators['*'];
  }
  EXPECT_NEAR(operators['*'], 10200, 400);
  std::map<char, int> answers;
  for (int i = 0; i < 30000; ++i) {
    find_domain("logic").generate({4, 2}, rng, sample);
    ++answers[sample.value == "T" || sample.value == "F" ? sample.value[0] : 'x'];
  }
  for (const char kind : {'T', 'F', 'x'}) EXPECT_NEAR(answers[kind], 10000, 400) << kind;
  std::map<std::string, int> sets;
  for (int i = 0; i < 32000; ++i) {
    find_domain("algebra").generate({0, 2}, rng, sample);
    ++sets[sample.formula.substr(sample.formula.find_first_of("abxy"))];
  }
  EXPECT_EQ(sets.size(), 12u);
  EXPECT_NEAR(sets["x"], 4000, 300);
  EXPECT_NEAR(sets["x*y"], 8000, 400);
  EXPECT_NEAR(sets["a*x"], 1000, 200);
  EXPECT_NEAR(sets["a*b*x*y"], 4000, 300);
}

TEST(Domains, MergingSignsDoesNotChangeTheValue) {
  check_law("value", [] {
    const AnyFormula any = any_formula(4);
    std::string merged = any.sample.formula;
    any.domain->merge_signs(merged);
    const rewrite::OracleSelector selector(*any.domain);
    const rewrite::OracleSolver solver(*any.domain);
    RC_ASSERT(rewrite::FastNrs(selector, solver).rewrite(merged).formula == any.sample.value);
  });
}

TEST(Domains, LeavesAreExactlyTheInnermostBrackets) {
  check_law("leaves", [] {
    const AnyFormula any = any_formula();
    const std::string& formula = any.sample.formula;
    std::size_t last_end = 0;
    std::size_t innermost = 0;
    std::size_t opened = std::string::npos;
    for (std::size_t i = 0; i < formula.size(); ++i) {
      if (formula[i] == '(' || formula[i] == '[') opened = i;
      if ((formula[i] == ')' || formula[i] == ']') && opened != std::string::npos) {
        ++innermost;
        opened = std::string::npos;
      }
    }
    const std::vector<Span> leaves = any.domain->leaves(formula);
    RC_ASSERT(leaves.size() == innermost);
    for (const Span& leaf : leaves) {
      RC_ASSERT(leaf.begin >= last_end);
      RC_ASSERT(any.domain->value(leaf.of(formula)).has_value());
      last_end = leaf.end;
    }
  });
}

TEST(Registry, KnowsItsDomainsAndSuggestsNames) {
  EXPECT_EQ(find_domain("algebra").name(), "algebra");
  try {
    find_domain("arithmetics");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.line(), "unknown domain 'arithmetics' (did you mean arithmetic?)");
  }
}

}  // namespace
}  // namespace nrs
