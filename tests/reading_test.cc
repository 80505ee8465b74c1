// Reading formulas as people write them, and saying what is wrong with bad ones.
#include <gtest/gtest.h>

#include "nrs/domain.h"
#include "nrs/error.h"
#include "property.h"

namespace nrs {
namespace {

std::string complaint(std::string_view text) {
  try {
    return "read as " + read_in_any_domain(text).formula;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.line();
  }
}

TEST(Reading, PrintThenReadIsTheIdentity) {
  check_law("identity", [] {
    const AnyFormula any = any_formula(6);
    RC_ASSERT(any.domain->read(any.sample.formula) == any.sample.formula);
    RC_ASSERT(any.domain->read(any.domain->paper_notation(any.sample.formula)) ==
              any.sample.formula);
  });
}

TEST(Reading, TellsTheDomainFromTheFormula) {
  check_law("domain", [] {
    const AnyFormula any = any_formula();
    const ReadFormula read = read_in_any_domain(any.sample.formula);
    RC_ASSERT(read.formula == any.sample.formula);
    if (any.shape.nesting > 0) RC_ASSERT(read.domain == any.domain);
  });
}

TEST(Reading, AcceptsSpacesAndOtherNotations) {
  EXPECT_EQ(complaint(" ( 15 + 5 ) "), "read as (15+5)");
  EXPECT_EQ(complaint("[MIN [SM 5 4] [MIN 3 9]]"), "read as [MIN[SM54][MIN39]]");
  EXPECT_EQ(complaint("((z OR False) AND (NOT True))"), "read as ((z|F)&(!T))");
  EXPECT_EQ(complaint("(5*x + 3*x)"), "read as (+5*x+3*x)");
  EXPECT_EQ(complaint("(+1*x*a - 0*a*x)"), "read as (+a*x+0*a*x)");
  EXPECT_EQ(complaint("((x+x)+(x+x))"), "read as ((+x+x)+(+x+x))");
  EXPECT_EQ(complaint("(+0*x*b*a++3*a*b*x)"), "read as (+0*a*b*x++3*a*b*x)");
}

TEST(Reading, SaysWhereBracketsAreMissing) {
  EXPECT_EQ(complaint("1+2"), "column 2: the formula is complete, but '+' follows (write (1+2))");
  EXPECT_EQ(complaint("(1+2) * 3"),
            "column 7: the formula is complete, but '*' follows (write ((1+2) * 3))");
  EXPECT_EQ(complaint("a AND T"),
            "column 3: the formula is complete, but 'A' follows (write (a AND T))");
  EXPECT_EQ(complaint("2*x+3*x"),
            "column 4: the formula is complete, but '+' follows (write (2*x+3*x))");
  EXPECT_EQ(complaint("1+2+3"),
            "column 2: the formula is complete, but '+' follows (each operator needs its own "
            "brackets, as in ((1+2)*3))");
  EXPECT_EQ(complaint("(1+2)$"), "column 6: the formula is complete, but '$' follows");
}

TEST(Reading, SaysThatCaseMatters) {
  EXPECT_EQ(complaint("(a and T)"), "column 4: unknown word 'and' (case matters: write AND)");
  EXPECT_EQ(complaint("(a Or T)"), "column 4: unknown word 'Or' (case matters: write OR)");
  EXPECT_EQ(complaint("(not T)"), "column 2: unknown word 'not' (case matters: write NOT)");
  EXPECT_EQ(complaint("true"), "column 1: unknown word 'true' (case matters: write True)");
  EXPECT_EQ(complaint("(a|FALSE)"), "column 4: unknown word 'FALSE' (case matters: write False)");
  EXPECT_EQ(complaint("a or b"),
            "column 3: the formula is complete, but 'o' follows (case matters: write OR)");
  EXPECT_EQ(complaint("[min 1 2]"), "column 2: unknown word 'min' (case matters: write MIN)");
  EXPECT_EQ(complaint("(tORf)"), "read as (t|f)");
  EXPECT_EQ(complaint("(nANDo)"), "read as (n&o)");
}

TEST(Reading, NamesColumnAndReason) {
  EXPECT_EQ(complaint(""), "column 1: the formula is empty");
  EXPECT_EQ(complaint("   "), "column 1: the formula is empty");
  EXPECT_EQ(complaint("(1+$)"), "column 4: unknown character: '$' (expected a number or '(')");
  EXPECT_EQ(complaint("((1+2)"), "column 7: the bracket opened at column 1 is not closed");
  EXPECT_EQ(complaint("(1+2))"), "column 6: the formula is complete, but ')' follows");
  EXPECT_EQ(complaint("(1+2+3)"),
            "column 5: an operator takes two arguments (put brackets around the first two)");
  EXPECT_EQ(complaint("(100+3)"), "column 2: 100 is out of range (numbers go from -99 to 99)");
  EXPECT_EQ(complaint("(-0+3)"), "column 2: -0 is not a number here (write 0)");
  EXPECT_EQ(complaint("(3+05)"), "column 4: 05 has a leading zero");
  EXPECT_EQ(complaint("(5)"), "column 3: brackets need an operator and two arguments");
  EXPECT_EQ(complaint("(+5+3)"), "column 2: expected a number or '(', found '+'");
  EXPECT_EQ(complaint("(1+2"), "column 5: the bracket opened at column 1 is not closed");
  EXPECT_EQ(complaint("(1+"), "column 4: expected a number or '(', found the end");
  EXPECT_EQ(complaint("[MIN5]"), "column 2: the operator has 1 argument (it takes 2 to 4)");
  EXPECT_EQ(complaint("[MAX]"), "column 2: the operator has 0 arguments (it takes 2 to 4)");
  EXPECT_EQ(complaint("[SM12345]"), "column 8: the operator at column 2 has more than 4 arguments");
  EXPECT_EQ(complaint("[MED12]"), "column 2: expected MIN, MAX or SM, found 'M'");
  EXPECT_EQ(complaint("(!a&b)"),
            "column 4: a negation has one argument (put brackets around what is before it)");
  EXPECT_EQ(complaint("(a&!b)"), "column 4: a negation needs its own brackets (write (!a))");
  EXPECT_EQ(complaint("(+5*x+3*y)"),
            "column 9: 'y' cannot be added to 'x' (all monomials of a formula have the same "
            "variables)");
  EXPECT_EQ(complaint("(+5*a+3*a)"),
            "column 5: 'a' lacks x and y (every monomial contains one of them)");
  EXPECT_EQ(complaint("(+5*x-(+3*x+2*x))"),
            "column 6: a bracket cannot be subtracted (add it and change its signs)");
  EXPECT_EQ(complaint("(+123*x+3*x)"),
            "column 3: 123 is out of range (coefficients go from -99 to 99)");
}

TEST(Reading, SurvivesBytesThatAreNoText) {
  EXPECT_EQ(complaint(std::string("(1\0+2)", 6)),
            "column 3: unknown character: a NUL character (expected '+', '-' or '*')");
  EXPECT_EQ(complaint("(1+2\xff)"),
            "column 5: unknown character: byte 0xff, which is not UTF-8 (expected ')')");
  EXPECT_EQ(complaint("(1\xe2\x88\x92"
                      "2)"),
            "column 3: unknown character: '\xe2\x88\x92' (expected '+', '-' or '*')");
}

TEST(Reading, NeverCrashesOnAnyBytes) {
  check_law("bytes", [](const std::string& text) {
    for (const Domain* domain : all_domains()) {
      try {
        const std::string formula = domain->read(text);
        RC_ASSERT(domain->read(formula) == formula);
      } catch (const Error& error) {
        RC_ASSERT(error.offset().value_or(0) <= text.size());
      }
    }
  });
}

TEST(Reading, NeverCrashesOnDamagedFormulas) {
  check_law("damage", [] {
    const AnyFormula any = any_formula(3);
    std::string text = any.sample.formula;
    const std::string pool = std::string(any.domain->alphabet()) + " $\xff";
    for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
      const std::size_t at = *rc::gen::inRange<std::size_t>(0, text.size());
      text[at] = *rc::gen::elementOf(pool);
    }
    try {
      const std::string formula = any.domain->read(text);
      RC_ASSERT(any.domain->read(formula) == formula);
    } catch (const Error& error) {
      RC_ASSERT(error.offset().has_value());
    }
  });
}

TEST(Reading, DepthIsNoProblem) {
  constexpr std::size_t kDepth = 100000;
  std::string formula(kDepth, '(');
  formula += "1";
  for (std::size_t i = 0; i < kDepth; ++i) formula += "+1)";
  EXPECT_EQ(find_domain("arithmetic").read(formula), formula);
  EXPECT_EQ(find_domain("arithmetic").nesting(formula), static_cast<int>(kDepth));
}

}  // namespace
}  // namespace nrs
