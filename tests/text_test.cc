// Text as tokens, leaves by patterns, and the modules made of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/rng.h"
#include "nrs/error.h"
#include "property.h"
#include "rewrite/modular.h"
#include "runtime/table_solver.h"
#include "text/json.h"
#include "text/pattern_modules.h"

namespace nrs::text {
namespace {

using Tokens = std::vector<std::string_view>;

TEST(Counted, is_a_number_with_what_is_carried_along) {
  const auto read = [](std::string_view token) {
    const std::optional<Counted> found = counted(token);
    return found ? fmt::format("{} {}|{}", found->number, found->head, found->tail) : "none";
  };
  EXPECT_EQ(read("7"), "7 7|");
  EXPECT_EQ(read("-12"), "-12 -12|");
  EXPECT_EQ(read("+5*x"), "5 +5*|x");
  EXPECT_EQ(read("-a*x"), "-1 -|a*x");
  for (const char* token : {"", "+", "True", "x", "{}", "+*", "5*7", "1234567890123"}) {
    EXPECT_EQ(read(token), "none") << token;
  }
}

TEST(Computation, takes_the_remainder_with_its_sign_or_without) {
  EXPECT_EQ(compute({.operation = '-', .modulus = 10}, 3, 18), -5);
  EXPECT_EQ(compute({.operation = '-', .modulus = 10, .floored = true}, 3, 18), 5);
  EXPECT_EQ(compute({.operation = '*'}, -3, 18), -54);
}

TEST(Lexer, joins_digits_and_letters) {
  const Lexer lexer({});
  EXPECT_EQ(lexer.tokens("not(12+x)"), (Tokens{"not", "(", "12", "+", "x", ")"}));
  EXPECT_EQ(Lexer({.numbers = false, .words = false}).tokens("ab 12"),
            (Tokens{"a", "b", "1", "2"}));
}

TEST(Lexer, keeps_characters_of_several_bytes_whole) {
  const Lexer lexer({});
  EXPECT_EQ(lexer.tokens("(⊤∧größe)"), (Tokens{"(", "⊤", "∧", "größe", ")"}));
}

TEST(Lexer, a_sign_belongs_to_a_number_unless_an_operand_is_before_it) {
  const Lexer lexer({.signs = "-"});
  EXPECT_EQ(lexer.tokens("-3--4*-5"), (Tokens{"-3", "-", "-4", "*", "-5"}));
  EXPECT_EQ(lexer.tokens("(2)-3"), (Tokens{"(", "2", ")", "-", "3"}));
  EXPECT_EQ(lexer.tokens("- 3"), (Tokens{"-", "3"}));
}

TEST(Lexer, spells_the_same_tokens_in_the_same_way) {
  const Lexer lexer({.spaced = true});
  EXPECT_EQ(lexer.canonical("not  True"), "not True");
  check_law("spelling is stable", [] {
    const Lexer any({.numbers = *rc::gen::arbitrary<bool>(),
                     .words = *rc::gen::arbitrary<bool>(),
                     .signs = *rc::gen::element<std::string>("", "-"),
                     .spaced = true});
    const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("a1 -(b")));
    RC_ASSERT(any.canonical(any.canonical(text)) == any.canonical(text));
  });
}

TEST(Lexer, rows_of_tokens_can_be_one_token) {
  const Lexer lexer({.compounds = {{"{", "}"}, {"{", "a", "}"}, {"+", "<number>", "*", "x"}}});
  EXPECT_EQ(lexer.tokens("f<{},{a},{b}>"),
            (Tokens{"f", "<", "{}", ",", "{a}", ",", "{", "b", "}", ">"}));
  EXPECT_EQ(lexer.tokens("(+12*x++3*x+x)"), (Tokens{"(", "+12*x", "+", "+3*x", "+", "x", ")"}));
  EXPECT_TRUE(lexer.is_compound("+3*x"));
  EXPECT_FALSE(lexer.is_compound("12"));
  // Whatever was cut off before it.
  EXPECT_EQ(lexer.cut("*x,{a}", false).size(), 4u);
}

TEST(TokenLess, numbers_are_sorted_by_size) {
  std::vector<std::string> tokens{"b", "10", "-3", "9", "a", "-12", "0"};
  std::ranges::sort(tokens, token_less);
  EXPECT_EQ(tokens, (std::vector<std::string>{"-12", "-3", "0", "9", "10", "a", "b"}));
}

// Sums modulo ten of two or three digits, and the middle one of three.
PatternSet sums() {
  const std::vector<std::string> left{"<start>"}, right{"<end>"};
  PatternSet set;
  set.lexer.spaced = true;
  set.patterns = {
      {{"S", "<number>", "<number>"}, left, right, {}, {{1, 2}}},
      {{"S", "<number>", "<number>", "<number>"}, left, right, {}, {{1, 2, 3}}, {}, true},
      {{"M", "<number>", "<number>", "<number>"}, left, right, 2, {{1, 2, 3}}}};
  set.finals.shapes = {{"<number>"}};
  set.longest_token = 1;
  return set;
}

TEST(PatternSolver, sorts_what_may_come_in_any_order_and_takes_two_at_a_time) {
  const Reader reader(patterns_of(to_json(sums())));
  EXPECT_EQ(reader.set(), sums());
  const runtime::AnswerTable values{{"S 2 7", "9"}, {"S 8 9", "7"}, {"S 1 2", "3"}};
  const runtime::TableSolver table(values, nullptr);
  const PatternSolver solver(reader, table);
  const std::vector<std::string_view> leaves{"S 7 2", "S 8 7 2", "M 9 1 4", "S 2 5 1"};
  const std::vector<Solution> solutions = solver.solve(leaves);
  EXPECT_EQ(solutions[0].value, "9");
  EXPECT_EQ(solutions[1].value, "7");  // S 2 7 is 9, and S 8 9 is 7
  EXPECT_EQ(solutions[2].value, "4");
  EXPECT_FALSE(solutions[3].known);  // S 1 2 is 3, but nobody knows S 3 5
}

// Booleans with precedence: not, and, or.
PatternSet booleans() {
  const std::vector<std::string> open{"<start>", "("}, close{"<end>", ")"};
  PatternSet set;
  set.lexer.spaced = true;
  set.values = {"False", "True"};
  set.patterns = {
      {{"not", "<value>"}, {"<start>", "(", "and", "or"}, {"<end>", ")", "and", "or"}},
      {{"<value>", "and", "<value>"}, {"<start>", "(", "or"}, {"<end>", ")", "and", "or"}},
      {{"<value>", "or", "<value>"}, open, {"<end>", ")", "or"}},
      {{"(", "<value>", ")"},
       {"<start>", "(", "and", "or", "not"},
       {"<end>", ")", "and", "or"},
       1}};
  set.finals.shapes = {{"<value>"}};
  set.longest_token = 5;
  return set;
}

runtime::AnswerTable boolean_values() {
  return {{"not True", "False"},       {"not False", "True"},       {"True and True", "True"},
          {"True and False", "False"}, {"False and True", "False"}, {"False and False", "False"},
          {"True or True", "True"},    {"True or False", "True"},   {"False or True", "True"},
          {"False or False", "False"}};
}

std::vector<std::string> leaves_of(const PatternSelector& selector, std::string_view text) {
  const Fragment fragment{.text = text};
  std::vector<std::string> leaves;
  const auto found = selector.select({&fragment, 1});
  for (const SelectedLeaf& leaf : found.front()) {
    leaves.emplace_back(leaf.span.of(text));
  }
  return leaves;
}

TEST(PatternSelector, neighbours_decide) {
  const Reader reader(booleans());
  const PatternSelector selector(reader);
  EXPECT_EQ(leaves_of(selector, "True or False and True"),
            (std::vector<std::string>{"False and True"}));
  EXPECT_EQ(leaves_of(selector, "not True or  not False"),
            (std::vector<std::string>{"not True", "not False"}));
  EXPECT_EQ(leaves_of(selector, "True"), (std::vector<std::string>{"True"}));
  EXPECT_TRUE(leaves_of(selector, "True True").empty());
}

// A random boolean formula with its value.
std::pair<std::string, bool> boolean(Rng& rng, int depth) {
  if (depth == 0) return rng.below(2) == 1 ? std::pair("True", true) : std::pair("False", false);
  switch (rng.below(4)) {
    case 0: {
      const auto [text, value] = boolean(rng, depth - 1);
      return {"( " + text + " )", value};
    }
    case 1: {
      const auto [text, value] = boolean(rng, depth - 1);
      return {"not ( " + text + " )", !value};
    }
    default: {
      const auto [a, x] = boolean(rng, depth - 1);
      const auto [b, y] = boolean(rng, static_cast<int>(rng.below(depth)));
      const bool both = rng.below(2) == 1;
      return {"( " + a + " ) " + (both ? "and" : "or") + " ( " + b + " )", both ? x && y : x || y};
    }
  }
}

TEST(PatternSelector, rewrites_formulas_of_any_depth) {
  const Reader reader(booleans());
  const PatternSelector selector(reader);
  const runtime::TableSolver table(boolean_values(), nullptr);
  const PatternSolver solver(reader, table);
  const rewrite::FastNrs rewriter(selector, solver, {}, {.linear = 4});
  Rng rng(7);
  for (int i = 0; i < 100; ++i) {
    const auto [text, value] = boolean(rng, 1 + i % 9);
    const Result result = rewriter.rewrite(text);
    EXPECT_EQ(result.stop, Stop::kFinal) << text;
    EXPECT_EQ(result.formula, value ? "True" : "False") << text;
  }
}

TEST(PatternSolver, does_not_know_what_is_in_no_table) {
  const Reader reader(booleans());
  runtime::AnswerTable table = boolean_values();
  table.erase("not True");
  const PatternSelector selector(reader);
  const runtime::TableSolver known(table, nullptr);
  const PatternSolver solver(reader, known);
  const rewrite::FastNrs rewriter(selector, solver);
  EXPECT_EQ(rewriter.rewrite("not True").stop, Stop::kUnknownLeaf);
  EXPECT_EQ(rewriter.rewrite("not False").formula, "True");
}

PatternSet sorting() {
  PatternSet set;
  set.lexer = {.numbers = false, .words = false};
  const std::vector<std::string> all{"<start>", "<end>", "a", "b"};
  set.patterns = {{{"b", "a"}, all, all}};
  set.finals.neighbours = {{"<start>", "a"}, {"<start>", "b"}, {"a", "a"},    {"a", "b"},
                           {"b", "b"},       {"a", "<end>"},   {"b", "<end>"}};
  set.longest_token = 1;
  return set;
}

TEST(PatternSelector, final_texts_may_have_any_length) {
  const Reader reader(sorting());
  const PatternSelector selector(reader);
  const runtime::TableSolver table({{"ba", "ab"}}, nullptr);
  const PatternSolver solver(reader, table);
  const rewrite::FastNrs rewriter(selector, solver, {}, {.linear = 1, .quadratic = 1});
  std::string text(150, 'b');
  text += std::string(150, 'a');
  const Result result = rewriter.rewrite(text);
  EXPECT_EQ(result.stop, Stop::kFinal);
  EXPECT_EQ(result.formula, std::string(150, 'a') + std::string(150, 'b'));
  EXPECT_EQ(result.steps, 150u * 150u);
  EXPECT_EQ(rewriter.rewrite("abc").stop, Stop::kNoLeaf);  // never taught
}

TEST(PatternSelector, a_value_may_be_empty) {
  PatternSet set = sorting();
  const std::vector<std::string> all{"<start>", "<end>", "a", "b"};
  set.patterns = {{{"a", "b"}, all, all}, {{"b", "a"}, all, all}};
  set.finals.neighbours.emplace_back("<start>", "<end>");
  const Reader reader(set);
  const PatternSelector selector(reader);
  const runtime::TableSolver table({{"ab", ""}, {"ba", ""}}, nullptr);
  const PatternSolver solver(reader, table);
  const rewrite::FastNrs rewriter(selector, solver, {}, {.erases = true});
  EXPECT_EQ(rewriter.rewrite("abba").formula, "");
  EXPECT_EQ(rewriter.rewrite("abba").stop, Stop::kFinal);
  EXPECT_EQ(rewriter.rewrite("aabab").formula, "a");
  EXPECT_EQ(rewrite::FastNrs(selector, solver).rewrite("ab").stop, Stop::kMalformed);
  check_law("what is left is what there is more of", [&] {
    const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab")));
    const auto as = std::count(text.begin(), text.end(), 'a');
    const auto bs = static_cast<std::ptrdiff_t>(text.size()) - as;
    const std::string left = as > bs ? std::string(static_cast<std::size_t>(as - bs), 'a')
                                     : std::string(static_cast<std::size_t>(bs - as), 'b');
    RC_ASSERT(rewriter.rewrite(text).formula == left);
  });
}

TEST(Matcher, takes_the_first_of_leaves_that_overlap) {
  const Reader reader(sorting());
  Matcher matcher;
  matcher.add({U"\5\6", U"\1\5\6", U"\2\5\6"});
  matcher.add({U"\6\5", U"\1\5\6", U"\2\5\6"});
  const std::vector<Match> found =
      matcher.leaves(U"\5\6\5\6", Vocabulary::kStartSymbol, Vocabulary::kEndSymbol);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].begin, 0u);
}

TEST(Patterns, are_the_same_when_they_are_read_again) {
  for (const PatternSet& set : {booleans(), sorting()}) {
    EXPECT_EQ(patterns_of(to_json(set)), set);
  }
  nlohmann::ordered_json damaged = to_json(booleans());
  damaged["patterns"][0]["computes"] = {
      {"operation", "/"}, {"places", {0, 1}}, {"modulus", 10}, {"floored", true}};
  EXPECT_THROW(patterns_of(damaged), Error);
  damaged["patterns"][0].erase("computes");
  damaged["patterns"][0]["copies"] = 9;
  EXPECT_THROW(patterns_of(damaged), Error);
  damaged.erase("patterns");
  EXPECT_THROW(patterns_of(damaged), Error);
}

TEST(Reader, names_the_column_of_a_token_that_was_never_taught) {
  const Reader reader(booleans());
  EXPECT_NO_THROW(reader.check("not True"));
  try {
    reader.check("not maybe");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("column 5"), std::string::npos);
  }
}

}  // namespace
}  // namespace nrs::text
