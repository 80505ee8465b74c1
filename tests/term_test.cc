// Terms, positions, matching and the three notations.
#include "term/term.h"

#include <string>
#include <vector>

#include "property.h"
#include "term/match.h"
#include "term/notation.h"
#include "term/position.h"
#include "term/rule.h"

namespace nrs::term {
namespace {

constexpr std::size_t kMillion = 1'000'000;

Term parsed(Terms& terms, std::string_view text, Notation notation = Notation::kFunctional) {
  return read_term(terms, text, notation);
}

// A term of random shape over a few symbols, with `?x` and `?y` if asked.
Term any_term(Terms& terms, Rng& rng, int depth, bool variables) {
  static const std::vector<std::pair<std::string, int>> kSymbols{
      {"a", 0}, {"-3", 0}, {"+", 0},   {"f", 1}, {"-", 1},   {"+", 2},
      {"*", 2}, {"g", 2},  {"h x", 1}, {"?", 1}, {"c-1", 0}, {"?z", 0}};
  if (variables && rng.chance(0.2)) return terms.variable(rng.chance(0.5) ? "?x" : "?y");
  const auto& [name, arity] = kSymbols[rng.below(kSymbols.size())];
  std::vector<Term> args;
  if (depth == 0 && arity > 0) return terms.constant("a");
  for (int i = 0; i < arity; ++i) args.push_back(any_term(terms, rng, depth - 1, variables));
  return terms.make(terms.symbol(name, args.size()), args);
}

TEST(Terms, EqualTermsAreOne) {
  Terms terms;
  EXPECT_EQ(parsed(terms, "f(a,g(b))"), parsed(terms, " f ( a , g(b) ) "));
  EXPECT_NE(parsed(terms, "f(a)"), parsed(terms, "f(b)"));
  EXPECT_NE(parsed(terms, "x"), terms.variable("x"));
  EXPECT_EQ(terms.size(parsed(terms, "f(a,g(b))")), 4u);
  EXPECT_EQ(terms.depth(parsed(terms, "f(a,g(b))")), 3u);
  EXPECT_TRUE(terms.ground(parsed(terms, "f(a,g(b))")));
  EXPECT_FALSE(terms.ground(parsed(terms, "f(a,g(?b))")));
  EXPECT_EQ(terms.arities_of("f"), (std::vector<std::size_t>{2, 1}));
}

TEST(Terms, TheSizeOfASharedTermDoesNotOverflow) {
  Terms terms;
  const Symbol pair = terms.symbol("p", 2);
  Term term = terms.constant("a");
  for (int i = 0; i < 100; ++i) term = terms.make(pair, {term, term});
  EXPECT_EQ(terms.size(term), Terms::kHuge);
  EXPECT_EQ(distinct_subterms(terms, term).size(), 101u);
}

TEST(Terms, ShrinkForgetsTheLastTerms) {
  check_law("what is made again after shrink() has the number it would have had", [] {
    Terms terms;
    Rng rng(*rc::gen::arbitrary<std::uint64_t>());
    for (int i = 0; i < 20; ++i) any_term(terms, rng, 4, true);
    const std::size_t count = terms.count();
    const Rng before = rng;
    for (int i = 0; i < 300; ++i) any_term(terms, rng, 5, true);
    terms.shrink(count);
    RC_ASSERT(terms.count() == count);
    rng = before;
    for (int i = 0; i < 300; ++i) {
      const Term term = any_term(terms, rng, 5, true);
      RC_ASSERT(parsed(terms, to_string(terms, term)) == term);
    }
  });
}

TEST(Notation, PrintedTermsAreReadBack) {
  check_law("read(print(t)) == t in every notation", [] {
    Terms terms;
    Rng rng(*rc::gen::arbitrary<std::uint64_t>());
    const Term term = any_term(terms, rng, 5, true);
    for (const Notation notation : {Notation::kFunctional, Notation::kSexpr, Notation::kInfix}) {
      const std::string text = to_string(terms, term, notation);
      RC_LOG() << text << "\n";
      RC_ASSERT(parsed(terms, text, notation) == term);
    }
  });
}

TEST(Notation, Infix) {
  Terms terms;
  const auto functional = [&](std::string_view text) {
    return to_string(terms, parsed(terms, text, Notation::kInfix));
  };
  EXPECT_EQ(functional("((a+b)*c)"), "*(+(a,b),c)");
  EXPECT_EQ(functional("a+b*c^d^e"), "+(a,*(b,^(c,^(d,e))))");
  EXPECT_EQ(functional("a-b-c"), "-(-(a,b),c)");
  EXPECT_EQ(functional("d(3*x^4)"), "d(*(3,^(x,4)))");
  EXPECT_EQ(functional("a - -3"), "-(a,-3)");
  EXPECT_EQ(functional("-x*y"), "*(-(x),y)");
  EXPECT_EQ(functional("f(-x,+)"), "f(-(x),+)");
  EXPECT_EQ(to_string(terms, parsed(terms, "f(+(a,b),*(c,-3))"), Notation::kInfix),
            "f((a+b),(c*(-3)))");
}

// Found by the fuzz target: a variable between bars would be read as a function symbol.
TEST(Notation, VariablesWithOddNamesAreReadBack) {
  Terms terms;
  const Term semicolon = parsed(terms, "?;");
  EXPECT_EQ(parsed(terms, to_string(terms, semicolon)), semicolon);
  const Term comma = parsed(terms, "?,-4,", Notation::kSexpr);
  EXPECT_EQ(parsed(terms, to_string(terms, comma, Notation::kSexpr), Notation::kSexpr), comma);
}

TEST(Notation, FaultsHaveAColumn) {
  Terms terms;
  const auto fault = [&](std::string_view text, Notation notation = Notation::kFunctional) {
    try {
      parsed(terms, text, notation);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(fault(""), "column 1: expected a term, found the end");
  EXPECT_EQ(fault("f(a"), "column 4: expected ',' or ')', found the end");
  EXPECT_EQ(fault("f(a,)"), "column 5: expected a term, found ')'");
  EXPECT_EQ(fault("f(a) b"), "column 6: expected the end of the term, found \"b\"");
  EXPECT_EQ(fault("(f a)"), "column 1: expected a term, found '('");
  EXPECT_EQ(fault("f(a))"), "column 5: expected the end of the term, found ')'");
  EXPECT_EQ(fault("|f"), "column 1: a name begins with '|' but does not end with it");
  EXPECT_EQ(fault("(f a", Notation::kSexpr), "column 5: expected a term or ')', found the end");
  EXPECT_EQ(fault("()", Notation::kSexpr), "column 2: expected a symbol after '(', found ')'");
  EXPECT_EQ(fault("(a+b", Notation::kInfix), "column 5: expected ')', found the end");
  EXPECT_EQ(fault("a+", Notation::kInfix), "column 3: expected a term, found the end");
  EXPECT_EQ(fault(std::string("a\001b")), "column 2: unexpected control character 0x01");
}

TEST(Notation, AMillionDeepInEveryNotation) {
  std::string text;
  for (std::size_t i = 0; i < kMillion; ++i) text += "s(";
  text += "z" + std::string(kMillion, ')');
  Terms terms;
  const Term term = parsed(terms, text);
  EXPECT_EQ(terms.depth(term), kMillion + 1);
  EXPECT_EQ(to_string(terms, term), text);
  for (const Notation notation : {Notation::kSexpr, Notation::kInfix}) {
    EXPECT_EQ(parsed(terms, to_string(terms, term, notation), notation), term);
  }
  std::string infix(kMillion, '(');
  infix += 'a';
  for (std::size_t i = 0; i < kMillion; ++i) infix += "+b)";
  EXPECT_EQ(to_string(terms, parsed(terms, infix, Notation::kInfix), Notation::kInfix), infix);
}

TEST(Match, AMillionDeep) {
  Terms terms;
  const Symbol s = terms.symbol("s", 1);
  Term pattern = terms.variable("x");
  Term subject = terms.constant("z");
  for (std::size_t i = 0; i < kMillion; ++i) {
    pattern = terms.make(s, {pattern});
    subject = terms.make(s, {subject});
  }
  Substitution substitution;
  ASSERT_TRUE(match(terms, pattern, subject, substitution));
  EXPECT_EQ(instantiate(terms, pattern, substitution), subject);
}

TEST(Match, WhatMatchesIsAnInstance) {
  check_law("match(p, s) and then instantiate(p) gives s; every instance matches", [] {
    Terms terms;
    Rng rng(*rc::gen::arbitrary<std::uint64_t>());
    const Term pattern = any_term(terms, rng, 3, true);
    Substitution random;
    for (const Symbol variable : variables_of(terms, pattern)) {
      random.bind(variable, any_term(terms, rng, 3, false));
    }
    const Term subject = instantiate(terms, pattern, random);
    Substitution found;
    RC_ASSERT(match(terms, pattern, subject, found));
    RC_ASSERT(instantiate(terms, pattern, found) == subject);
    RC_ASSERT(found.size() == random.size());
    const Term other = any_term(terms, rng, 3, false);
    Substitution maybe;
    if (match(terms, pattern, other, maybe)) {
      RC_ASSERT(instantiate(terms, pattern, maybe) == other);
    }
  });
}

TEST(Match, RepeatedVariables) {
  Terms terms;
  Substitution substitution;
  EXPECT_FALSE(match(terms, parsed(terms, "f(?x,?x)"), parsed(terms, "f(a,b)"), substitution));
  substitution.clear();
  EXPECT_TRUE(match(terms, parsed(terms, "f(?x,?x)"), parsed(terms, "f(g(a),g(a))"), substitution));
}

TEST(Match, Renaming) {
  Terms terms;
  const auto same = [&](std::string_view a, std::string_view b) {
    return same_up_to_renaming(terms, parsed(terms, a), parsed(terms, b));
  };
  EXPECT_TRUE(same("f(?x,?y)", "f(?y,?x)"));
  EXPECT_TRUE(same("f(?x,?x)", "f(?y,?y)"));
  EXPECT_FALSE(same("f(?x,?x)", "f(?x,?y)"));
  EXPECT_FALSE(same("f(?x,?y)", "f(?x,?x)"));
  EXPECT_FALSE(same("f(?x)", "f(a)"));
  const Rule one{parsed(terms, "f(?x,?y)"), parsed(terms, "?x")};
  const Rule renamed{parsed(terms, "f(?y,?x)"), parsed(terms, "?y")};
  const Rule other{parsed(terms, "f(?y,?x)"), parsed(terms, "?x")};
  EXPECT_TRUE(same_up_to_renaming(terms, one, renamed));
  EXPECT_FALSE(same_up_to_renaming(terms, one, other));
}

TEST(Position, ReplaceAndSubterm) {
  check_law("what was put at a position is there, and the rest is as it was", [] {
    Terms terms;
    Rng rng(*rc::gen::arbitrary<std::uint64_t>());
    const Term term = any_term(terms, rng, 4, true);
    std::vector<Position> positions;
    for_each_subterm(terms, term, [&](Term part, const Position& position) {
      RC_ASSERT(subterm(terms, term, position) == part);
      positions.push_back(position);
      return Visit::kDeeper;
    });
    RC_ASSERT(positions.size() == terms.size(term));
    const Position& position = positions[rng.below(positions.size())];
    const Term old = *subterm(terms, term, position);
    const Term other = any_term(terms, rng, 2, false);
    const Term changed = replace(terms, term, position, other);
    RC_ASSERT(subterm(terms, changed, position) == other);
    RC_ASSERT(replace(terms, changed, position, old) == term);
  });
  Terms terms;
  EXPECT_EQ(subterm(terms, parsed(terms, "f(a)"), {1}), std::nullopt);
  EXPECT_EQ(to_string(Position{}), "root");
  EXPECT_EQ(to_string(Position{0, 2}), "1.3");
}

}  // namespace
}  // namespace nrs::term
