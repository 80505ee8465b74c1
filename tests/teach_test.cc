// Text systems from examples: from chains in any order, from several rewrites at once, from answers
// only, and with wrong lines among them.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/rng.h"
#include "nrs/error.h"
#include "rewrite/modular.h"
#include "runtime/table_solver.h"
#include "teach/draft.h"
#include "teach/text_system.h"
#include "text/pattern_modules.h"

namespace nrs::teach {
namespace {

using examples::Example;
using examples::Kind;

// A rewriting system that is known exactly: random questions, and the leaves of a formula.
struct Truth {
  std::function<std::string(Rng&, int size)> draw;
  std::function<std::vector<Step>(const std::string&)> leaves;
};

std::string one_of(Rng& rng, std::vector<std::string> texts) {
  return texts[rng.below(texts.size())];
}

std::string boolean(Rng& rng, int depth) {
  if (depth == 0 || rng.below(5) == 0) return one_of(rng, {"True", "False"});
  switch (rng.below(4)) {
    case 0:
      return "not " + (rng.below(2) == 1 ? boolean(rng, 0) : "( " + boolean(rng, depth - 1) + " )");
    case 1:
      return "( " + boolean(rng, depth - 1) + " )";
    default:
      return boolean(rng, depth - 1) + one_of(rng, {" and ", " or "}) + boolean(rng, depth - 1);
  }
}

// not before and before or; brackets around a value go.
std::vector<Step> boolean_leaves(const std::string& text) {
  const text::Lexer lexer({.spaced = true});
  const std::vector<Span> t = lexer.cut(text);
  const auto at = [&](std::size_t i) {
    return i < t.size() ? std::string(t[i].of(text)) : std::string();
  };
  const auto value = [&](std::size_t i) { return at(i) == "True" || at(i) == "False"; };
  const auto word = [](bool b) { return std::string(b ? "True" : "False"); };
  std::vector<Step> leaves;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const std::string left = i == 0 ? "" : at(i - 1);
    if (at(i) == "not" && value(i + 1)) {
      leaves.push_back({{t[i].begin, t[i + 1].end}, word(at(i + 1) == "False")});
    } else if (at(i) == "(" && value(i + 1) && at(i + 2) == ")") {
      leaves.push_back({{t[i].begin, t[i + 2].end}, at(i + 1)});
    } else if (value(i) && value(i + 2) && left != "not" && left != "and") {
      const bool a = at(i) == "True", b = at(i + 2) == "True";
      const Span span{t[i].begin, t[i + 2].end};
      if (at(i + 1) == "and") leaves.push_back({span, word(a && b)});
      if (at(i + 1) == "or" && left != "or" && at(i + 3) != "and")
        leaves.push_back({span, word(a || b)});
    }
  }
  return leaves;
}

std::string letters(Rng& rng, int size) {
  std::string text;
  for (int i = 0; i < size; ++i) text += static_cast<char>('a' + rng.below(3));
  return text;
}

std::vector<Step> swaps(const std::string& text) {
  std::vector<Step> leaves;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] > text[i + 1]) leaves.push_back({{i, i + 2}, {text[i + 1], text[i]}});
  }
  return leaves;
}

// Letters and their capitals cancel.
std::vector<Step> cancellations(const std::string& text) {
  std::vector<Step> leaves;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if ((text[i] ^ text[i + 1]) == 0x20) leaves.push_back({{i, i + 2}, ""});
  }
  return leaves;
}

// A path in which no step leaves the root.
std::string path(Rng& rng, int size) {
  std::string text;
  int depth = 0;
  for (int i = 0; i < size || depth == 0; ++i) {
    const bool up = depth > 0 && rng.below(3) == 0;
    depth += up ? -1 : 1;
    text +=
        up ? "/.." : "/" + one_of(rng, {"usr", "lib", "src", "doc", "bin", "tmp", "etc", "var"});
  }
  return text;
}

// A name and the .. behind it vanish.
std::vector<Step> path_leaves(const std::string& text) {
  std::vector<Step> leaves;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t next = std::min(text.find('/', begin + 1), text.size());
    const bool up = text.compare(next, 3, "/..") == 0;
    if (up && text.compare(begin, 3, "/..") != 0) leaves.push_back({{begin, next + 3}, ""});
    begin = next;
  }
  return leaves;
}

const Truth kBooleans{boolean, boolean_leaves};
const Truth kPaths{path, path_leaves};
const Truth kSorting{letters, swaps};
const Truth kFreeGroup{[](Rng& rng, int size) {
                         std::string text;
                         for (int i = 0; i < size; ++i) text += "abAB"[rng.below(4)];
                         return text;
                       },
                       cancellations};

enum class Order { kFirst, kAny, kAll };

std::vector<std::string> chain_of(const Truth& truth, std::string text, Rng& rng, Order order) {
  std::vector<std::string> chain{text};
  for (;;) {
    std::vector<Step> leaves = truth.leaves(text);
    if (leaves.empty()) return chain;
    if (order == Order::kFirst) leaves.resize(1);
    if (order == Order::kAny) leaves = {leaves[rng.below(leaves.size())]};
    std::vector<Step> apart;
    for (const Step& leaf : leaves) {
      if (apart.empty() || leaf.leaf.begin >= apart.back().leaf.end) apart.push_back(leaf);
    }
    text = combine(text, apart);
    chain.push_back(text);
  }
}

std::vector<Example> chains(const Truth& truth, int count, int size, Order order) {
  Rng rng(11);
  std::vector<Example> examples;
  for (int i = 0; i < count; ++i) {
    Example& example = examples.emplace_back();
    example.line = static_cast<std::uint32_t>(i + 1);
    const int drawn = 1 + static_cast<int>(rng.below(static_cast<std::uint64_t>(size)));
    example.formulas = chain_of(truth, truth.draw(rng, drawn), rng, order);
  }
  return examples;
}

std::vector<Example> answers(const Truth& truth, int count, int size) {
  std::vector<Example> examples = chains(truth, count, size, Order::kFirst);
  for (Example& example : examples) {
    example.kind = Kind::kAnswer;
    example.formulas = {example.formulas.front(), example.formulas.back()};
  }
  return examples;
}

// How many of 100 fresh questions it answers right; none may be wrong.
int right_of_100(const TextSystem& system, const Truth& truth, int size) {
  const text::Reader reader(system.patterns);
  const text::PatternSelector selector(reader);
  runtime::AnswerTable values;
  for (const auto& [leaf, known] : system.table) values[leaf] = known.value;
  const runtime::TableSolver table(values, nullptr);
  const text::PatternSolver solver(reader, table);
  const rewrite::FastNrs rewriter(selector, solver, {},
                                  {.balanced = system.patterns.balanced,
                                   .erases = system.erases,
                                   .linear = system.patterns.growth.linear,
                                   .quadratic = system.patterns.growth.quadratic});
  Rng rng(23);
  int right = 0;
  for (int i = 0; i < 100; ++i) {
    const std::string question = truth.draw(rng, size);
    const Result result = rewriter.rewrite(question);
    const std::string answer = chain_of(truth, question, rng, Order::kFirst).back();
    EXPECT_TRUE(!result.ok() || result.formula == answer) << question;
    right += result.ok() && result.formula == answer;
  }
  return right;
}

TEST(LearnText, booleans_from_chains_in_any_order) {
  for (const Order order : {Order::kFirst, Order::kAny, Order::kAll}) {
    const TextSystem system = learn_from_steps(chains(kBooleans, 300, 3, order), {});
    EXPECT_EQ(system.explained, system.steps);
    EXPECT_EQ(system.patterns.patterns.size(), 4u);
    EXPECT_TRUE(system.closed());
    EXPECT_EQ(right_of_100(system, kBooleans, 6), 100) << static_cast<int>(order);
  }
}

TEST(LearnText, sorting_has_finals_of_any_length) {
  const TextSystem system = learn_from_steps(chains(kSorting, 200, 12, Order::kAny), {});
  EXPECT_TRUE(system.patterns.finals.open());
  EXPECT_EQ(right_of_100(system, kSorting, 80), 100);
}

std::string list(Rng& rng, int depth) {
  if (depth == 0) return std::to_string(rng.below(10));
  std::string text = one_of(rng, {"[MIN", "[MED", "[SM"});
  const std::size_t count = 2 + rng.below(4), deep = rng.below(count);
  for (std::size_t i = 0; i < count; ++i) text += ' ' + list(rng, i == deep ? depth - 1 : 0);
  return text + " ]";
}

// Lists of digits only: the smallest, the one in the middle, the sum modulo ten.
std::vector<Step> list_leaves(const std::string& text) {
  std::vector<Step> leaves;
  for (std::size_t begin = text.find('['); begin != std::string::npos;
       begin = text.find('[', begin + 1)) {
    const std::size_t end = text.find_first_of("[]", begin + 1);
    if (text[end] != ']') continue;
    std::vector<int> digits;
    for (std::size_t i = begin; i < end; ++i) {
      if (text[i] >= '0' && text[i] <= '9') digits.push_back(text[i] - '0');
    }
    std::ranges::sort(digits);
    const std::size_t half = digits.size() / 2;
    int value = digits[0];
    if (text[begin + 1] == 'S') value = std::accumulate(digits.begin(), digits.end(), 0) % 10;
    if (text[begin + 2] == 'E') {
      value = digits.size() % 2 == 1 ? digits[half] : (digits[half - 1] + digits[half]) / 2;
    }
    leaves.push_back({{begin, end + 1}, std::to_string(value)});
  }
  return leaves;
}

const Truth kLists{list, list_leaves};

const text::Pattern& pattern_of(const TextSystem& system, const std::string& word,
                                std::size_t size) {
  const auto found = std::ranges::find_if(system.patterns.patterns, [&](const text::Pattern& p) {
    return p.body.size() == size && p.body[1] == word;
  });
  EXPECT_NE(found, system.patterns.patterns.end()) << word;
  return *found;
}

// What the order of arguments does not change, what is one of them, and what takes two at a time.
void expect_laws(const TextSystem& system) {
  const std::vector<std::size_t> places{2, 3, 4, 5, 6};
  for (const char* word : {"MIN", "MED", "SM"}) {
    EXPECT_EQ(pattern_of(system, word, 8).any_order, text::AnyOrder{places}) << word;
  }
  EXPECT_EQ(pattern_of(system, "MIN", 8).copies, 2u);
  EXPECT_EQ(pattern_of(system, "MED", 8).copies, 4u);
  EXPECT_FALSE(pattern_of(system, "MED", 7).copies);
  EXPECT_FALSE(pattern_of(system, "MED", 7).folds);
  EXPECT_TRUE(pattern_of(system, "SM", 8).folds);
}

TEST(LearnText, arguments_in_any_order_from_steps) {
  const TextSystem system = learn_from_steps(chains(kLists, 12000, 2, Order::kAny), {});
  expect_laws(system);
  EXPECT_GE(right_of_100(system, kLists, 8), 85);  // a median of four may be new
}

TEST(LearnText, arguments_in_any_order_from_answers) {
  const TextSystem system = learn_from_answers(answers(kLists, 16000, 2), {});
  expect_laws(system);
  EXPECT_GE(right_of_100(system, kLists, 8), 80);
}

// Both arguments are always equally deep, so no question has only one leaf inside of it.
const Truth kFullTrees{
    [](Rng& rng, int depth) {
      std::vector<std::string> parts;
      for (int i = 0; i < (1 << depth); ++i) {
        parts.push_back(std::string(1, static_cast<char>('0' + rng.below(10))));
      }
      for (; parts.size() > 1; parts.resize(parts.size() / 2)) {
        for (std::size_t i = 0; i < parts.size() / 2; ++i) {
          parts[i] = "(" + parts[2 * i] + one_of(rng, {"+", "-"}) + parts[2 * i + 1] + ")";
        }
      }
      return parts[0];
    },
    [](const std::string& text) {
      std::vector<Step> leaves;
      for (std::size_t i = 0; i + 4 < text.size(); ++i) {
        if (text[i] != '(' || text[i + 4] != ')') continue;
        const int a = text[i + 1] - '0', b = text[i + 3] - '0';
        const int value = text[i + 2] == '+' ? a + b : a - b + 10;
        leaves.push_back({{i, i + 5}, std::to_string(value % 10)});
      }
      return leaves;
    }};

TEST(LearnText, several_leaves_may_wait_for_each_other) {
  const TextSystem system = learn_from_answers(answers(kFullTrees, 4000, 3), {});
  EXPECT_EQ(right_of_100(system, kFullTrees, 6), 100);
  const auto sum = std::ranges::find_if(system.patterns.patterns,
                                        [](const auto& p) { return p.body[2] == "+"; });
  ASSERT_NE(sum, system.patterns.patterns.end());
  EXPECT_EQ(sum->any_order, (text::AnyOrder{{1, 3}}));
  const auto difference = std::ranges::find_if(system.patterns.patterns,
                                               [](const auto& p) { return p.body[2] == "-"; });
  ASSERT_NE(difference, system.patterns.patterns.end());
  EXPECT_TRUE(difference->any_order.empty());
}

// Sums of like monomials, with remainders: +5*x and +x have a number and what is carried along.
std::string monomial(int number, const std::string& variables) {
  const std::string sign = number < 0 ? "-" : "+";
  return sign + (std::abs(number) == 1 ? "" : std::to_string(std::abs(number)) + "*") + variables;
}

const Truth kMonomials{
    [](Rng& rng, int depth) {
      const std::string variables = one_of(rng, {"x", "y", "a*x"});
      std::string text = monomial(static_cast<int>(rng.below(199)) - 99, variables);
      for (int i = 0; i < depth; ++i) {
        text = "(" + text + "+" + monomial(static_cast<int>(rng.below(199)) - 99, variables) + ")";
      }
      return text;
    },
    [](const std::string& text) {
      std::vector<Step> leaves;
      const std::size_t begin = text.rfind('(');
      if (begin == std::string::npos) return leaves;
      const std::size_t end = text.find(')') + 1, middle = text.find_last_of('+', end - 3);
      const std::string variables = text.substr(text.find_first_of("axy"), 1) == "a" ? "a*x"
                                    : text.find('x') != std::string::npos            ? "x"
                                                                                     : "y";
      const auto number = [&](std::size_t at) {
        const int one = text[at] == '-' ? -1 : 1;
        const bool digit = text[at + 1] >= '0' && text[at + 1] <= '9';
        return digit ? one * std::stoi(text.substr(at + 1)) : one;
      };
      // The sign of the second monomial stands behind the sum.
      const std::size_t second = text[middle - 1] == '+' ? middle : middle + 1;
      leaves.push_back(
          {{begin, end}, monomial((number(begin + 1) + number(second)) % 100, variables)});
      return leaves;
    }};

TEST(LearnText, numbers_are_computed_and_what_is_behind_them_is_carried_along) {
  const TextSystem system = learn_from_answers(answers(kMonomials, 6000, 3), {});
  ASSERT_EQ(system.patterns.patterns.size(), 1u);
  EXPECT_EQ(system.patterns.patterns[0].computes,
            (text::Computation{.operation = '+', .left = 1, .right = 3, .modulus = 100}));
  EXPECT_TRUE(system.table.empty());
  EXPECT_EQ(right_of_100(system, kMonomials, 6), 100);
}

// Values of several tokens: {}, {a}, {a,b} ... with their union and what they have in common.
std::string set_of(unsigned bits) {
  std::string text;
  for (int i = 0; i < 3; ++i) {
    if ((bits >> i & 1) == 0) continue;
    text += text.empty() ? "" : ",";
    text += static_cast<char>('a' + i);
  }
  return "{" + text + "}";
}

std::string sets(Rng& rng, int depth) {
  if (depth == 0) return set_of(static_cast<unsigned>(rng.below(8)));
  return one_of(rng, {"join<", "meet<"}) + sets(rng, depth - 1) + "," +
         sets(rng, static_cast<int>(rng.below(static_cast<std::uint64_t>(depth)))) + ">";
}

std::vector<Step> set_leaves(const std::string& text) {
  std::vector<Step> leaves;
  for (const char* word : {"join<", "meet<"}) {
    for (unsigned a = 0; a < 8; ++a) {
      for (unsigned b = 0; b < 8; ++b) {
        const std::string leaf = word + set_of(a) + "," + set_of(b) + ">";
        for (std::size_t at = text.find(leaf); at != std::string::npos;
             at = text.find(leaf, at + 1)) {
          leaves.push_back({{at, at + leaf.size()}, set_of(word[0] == 'j' ? a | b : a & b)});
        }
      }
    }
  }
  std::ranges::sort(leaves, {}, [](const Step& step) { return step.leaf.begin; });
  return leaves;
}

const Truth kSets{sets, set_leaves};

TEST(LearnText, values_of_several_tokens_are_one_class) {
  for (const bool from_answers : {false, true}) {
    const TextSystem system = from_answers
                                  ? learn_from_answers(answers(kSets, 2000, 3), {})
                                  : learn_from_steps(chains(kSets, 600, 3, Order::kAny), {});
    EXPECT_EQ(system.patterns.patterns.size(), 2u);
    EXPECT_EQ(right_of_100(system, kSets, 6), 100) << from_answers;
  }
}

TEST(LearnText, leaves_may_vanish) {
  const TextSystem system = learn_from_steps(chains(kFreeGroup, 400, 12, Order::kFirst), {});
  EXPECT_TRUE(system.erases);
  EXPECT_EQ(right_of_100(system, kFreeGroup, 100), 100);
}

// Two equal words side by side vanish.
const Truth kTwins{[](Rng& rng, int size) {
                     std::string text = one_of(rng, {"up", "down"});
                     for (int i = 1; i < size; ++i) text += one_of(rng, {" up", " down", " left"});
                     return text;
                   },
                   [](const std::string& text) {
                     const text::Lexer lexer({.spaced = true});
                     const std::vector<Span> t = lexer.cut(text);
                     std::vector<Step> leaves;
                     for (std::size_t i = 0; i + 1 < t.size(); ++i) {
                       if (t[i].of(text) != t[i + 1].of(text)) continue;
                       const bool first = i == 0, last = i + 2 == t.size();
                       leaves.push_back({{first ? t[i].begin : t[i - 1].end,
                                          first && !last ? t[i + 2].begin : t[i + 1].end},
                                         ""});
                       break;
                     }
                     return leaves;
                   }};

TEST(LearnText, words_that_vanish_leave_no_blanks) {
  const TextSystem system = learn_from_steps(chains(kTwins, 400, 10, Order::kFirst), {});
  EXPECT_TRUE(system.erases);
  EXPECT_EQ(right_of_100(system, kTwins, 40), 100);
}

// c becomes p beside x, which is rare, and q elsewhere.
enum class Where { kBehind, kBefore, kBoth, kEnd };

Truth c_beside_x(Where where) {
  return {[](Rng& rng, int size) {
            std::string text;
            for (int i = 0; i < size; ++i) text += "aabbyyccccx"[rng.below(11)];
            return text;
          },
          [=](const std::string& text) {
            std::vector<Step> leaves;
            for (std::size_t i = 0; i < text.size(); ++i) {
              if (text[i] != 'c') continue;
              const bool end = i + 1 == text.size();
              const bool before = i > 0 && text[i - 1] == 'x';
              const bool behind = !end && text[i + 1] == 'x';
              const bool other = where == Where::kEnd      ? end
                                 : where == Where::kBefore ? before
                                 : where == Where::kBehind ? behind
                                                           : before && behind;
              leaves.push_back({{i, i + 1}, other ? "p" : "q"});
            }
            return leaves;
          }};
}

TEST(LearnText, a_rare_neighbour_may_decide_what_a_leaf_becomes) {
  for (const Where where : {Where::kBehind, Where::kBefore}) {
    for (const int count : {500, 3000}) {  // of 3,000, shapes are found in a part
      const Truth truth = c_beside_x(where);
      const TextSystem system = learn_from_steps(chains(truth, count, 12, Order::kAny), {});
      EXPECT_TRUE(system.suspicious.empty()) << static_cast<int>(where) << ' ' << count;
      EXPECT_EQ(right_of_100(system, truth, 30), 100) << static_cast<int>(where) << ' ' << count;
    }
  }
}

TEST(LearnText, an_end_or_two_neighbours_that_decide_are_refused) {
  for (const Where where : {Where::kEnd, Where::kBoth}) {
    const Truth truth = c_beside_x(where);
    const TextSystem system = learn_from_steps(chains(truth, 500, 12, Order::kAny), {});
    EXPECT_LT(right_of_100(system, truth, 30), 100) << static_cast<int>(where);  // none is wrong
  }
}

TEST(LearnText, words_are_not_cut_where_blanks_stand_between_them) {
  std::vector<Example> examples;
  for (const std::string other : {"ann", "bob", "dog", "eel", "gnu", "hen", "owl"}) {
    for (const std::string text : {" car", " fox car"}) {
      const std::string value = text == " car" ? " quail" : " fox pig";
      examples.push_back({.formulas = {other + text + " " + other, other + value + " " + other}});
    }
  }
  EXPECT_TRUE(learn_from_steps(examples, {}).patterns.lexer.words);
}

TEST(LearnText, what_is_alike_has_the_same_neighbours) {
  // 9 things before each of 8 leaves: the examples do not show all of them.
  const TextSystem system = learn_from_steps(chains(kPaths, 400, 8, Order::kFirst), {});
  EXPECT_EQ(right_of_100(system, kPaths, 60), 100);
}

TEST(LearnText, what_is_alike_beside_four_leaves_is_alike_beside_a_fifth) {
  std::vector<Example> examples;
  for (const std::string name : {"p", "q"}) {
    for (const std::string leaf : {"a", "b", "c", "d", "e"}) {
      if (name == "q" && leaf == "e") continue;  // never shown
      for (const std::string end : {" x", " y"}) {
        examples.push_back({.formulas = {name + " " + leaf + end, name + " z" + end}});
      }
    }
  }
  const TextSystem system = learn_from_steps(examples, {});
  ASSERT_EQ(system.patterns.patterns.size(), 5u);
  for (const text::Pattern& pattern : system.patterns.patterns) {
    EXPECT_EQ(pattern.left, (std::vector<std::string>{"p", "q"})) << pattern.body[0];
  }
}

// b is like a, but for ub, which becomes pa. And b stands only where k was before.
std::string with_k(Rng& rng, int size) {
  std::string text = one_of(rng, {"0", "1"});
  for (int i = 0; i < size; ++i) text += one_of(rng, {"a", "k", "p", "q", "r", "s", "u"});
  return text;
}
std::vector<Step> leaves_with_k(const std::string& text) {
  const std::size_t k = text.find('k'), b = text.find("ub");
  if (k != std::string::npos) return {{{k, k + 1}, "b"}};
  if (b != std::string::npos) return {{{b, b + 2}, "pa"}};
  if (text.size() < 2) return {};
  const std::string_view digit = text[1] == 'u' ? "10" : "01";  // u exchanges 0 and 1
  return {{{0, 2}, std::string(1, digit[text[0] - '0'])}};
}
const Truth kLikeButOnce{with_k, leaves_with_k};

TEST(LearnText, what_is_alike_changes_no_step_that_was_shown) {
  const std::vector<Example> examples = chains(kLikeButOnce, 1000, 5, Order::kFirst);
  const TextSystem system = learn_from_steps(examples, {});
  EXPECT_EQ(right_of_100(system, kLikeButOnce, 30), 100);
}

// Pairs of brackets vanish; the last one is ok.
const Truth kPairs{[](Rng& rng, int size) {
                     std::string text;
                     int open = 0;
                     while (text.empty() || open > 0) {
                       const bool more = size > 0 && (open == 0 || rng.below(2) == 0);
                       text += more ? '[' : ']';
                       open += more ? 1 : -1;
                       size -= more ? 1 : 0;
                     }
                     return text;
                   },
                   [](const std::string& text) {
                     std::vector<Step> leaves;
                     if (text == "[]") return std::vector<Step>{{{0, 2}, "ok"}};
                     for (std::size_t i = text.find("[]"); i != std::string::npos;
                          i = text.find("[]", i + 2)) {
                       leaves.push_back({{i, i + 2}, ""});
                     }
                     return leaves;
                   }};

TEST(LearnText, a_leaf_may_have_another_value_alone) {
  const TextSystem system = learn_from_steps(chains(kPairs, 300, 6, Order::kAny), {});
  EXPECT_EQ(system.patterns.alone, (std::map<std::string, std::string>{{"[]", "ok"}}));
  EXPECT_TRUE(system.suspicious.empty());
  EXPECT_EQ(right_of_100(system, kPairs, 40), 100);
}

// The mean of the two in the middle: the least and the greatest make no difference.
std::string list_of_four(Rng& rng, int depth) {
  if (depth == 0) return std::to_string(rng.below(10));
  std::string text = "[mid";
  for (int i = 0; i < 4; ++i) {
    text +=
        " " + list_of_four(rng, i == 0 ? depth - 1 : static_cast<int>(rng.below(2)) * (depth - 1));
  }
  return text + " ]";
}
const Truth kMiddle{
    list_of_four, [](const std::string& text) {
      std::vector<Step> leaves;
      const std::size_t begin = text.rfind('[');
      if (begin == std::string::npos) return leaves;
      std::vector<int> numbers;
      for (std::size_t i = begin + 5; text[i] != ']'; i += 2) {
        numbers.push_back(text[i] - '0');
      }
      std::ranges::sort(numbers);
      const std::size_t end = text.find(']', begin) + 1;
      leaves.push_back({{begin, end}, std::to_string((numbers[1] + numbers[2]) / 2)});
      return leaves;
    }};

TEST(LearnText, what_makes_no_difference_is_left_out) {
  const TextSystem system = learn_from_steps(chains(kMiddle, 300, 2, Order::kFirst), {});
  ASSERT_EQ(system.patterns.patterns.size(), 1u);
  EXPECT_EQ(system.patterns.patterns[0].no_matter, (text::NoMatter{{2, 3}, {5, 4}}));
  EXPECT_LE(system.table.size(), 55u);
  // 7 with a table of all leaves; not all of the 55 pairs are in the examples.
  EXPECT_GE(right_of_100(system, kMiddle, 3), 90);
}

TEST(LearnText, booleans_from_answers_only) {
  const TextSystem system = learn_from_answers(answers(kBooleans, 3000, 3), {});
  EXPECT_EQ(right_of_100(system, kBooleans, 6), 100);
}

// Every n-th example has a wrong value in it.
void spoil(std::vector<Example>& examples, std::size_t every) {
  for (std::size_t i = 0; i < examples.size(); i += every) {
    std::string& last = examples[i].formulas.back();
    if (examples[i].formulas.size() > 1) last = last == "True" ? "False" : "True";
  }
}

TEST(LearnText, wrong_lines_are_named_and_do_no_harm) {
  std::vector<Example> examples = chains(kBooleans, 600, 3, Order::kFirst);
  spoil(examples, 20);
  const TextSystem system = learn_from_steps(examples, {});
  EXPECT_EQ(right_of_100(system, kBooleans, 6), 100);
  ASSERT_FALSE(system.suspicious.empty());
  for (const examples::BadLine& line : system.suspicious)
    EXPECT_EQ(line.line % 20, 1u) << line.reason;
}

TEST(LearnText, wrong_answers_are_named_and_do_no_harm) {
  std::vector<Example> examples = answers(kBooleans, 4000, 3);
  spoil(examples, 20);
  const TextSystem system = learn_from_answers(examples, {});
  EXPECT_EQ(right_of_100(system, kBooleans, 6), 100);
  // A wrong answer of two words is right by chance every other time, so a few neighbours of rare
  // leaves are taken for the wrong ones.
  const auto spoilt = std::ranges::count_if(
      system.suspicious, [](const examples::BadLine& line) { return line.line % 20 == 1; });
  EXPECT_GE(static_cast<double>(spoilt), 0.95 * static_cast<double>(system.suspicious.size()));
  EXPECT_GE(spoilt, 100);
}

// Every sum of two numbers below 31, each `times` times; every twentieth value is wrong.
std::optional<text::Computation> law_of_sums(std::uint64_t times, double noise) {
  std::vector<Example> examples;
  for (int a = 0; a < 31; ++a) {
    for (int b = 0; b < 31; ++b) {
      const int wrong = examples.size() % 20 == 0 ? 1 + b % 29 : 0;
      examples.push_back({.formulas = {std::to_string(a) + "+" + std::to_string(b),
                                       std::to_string((a + b + wrong) % 31)}});
    }
  }
  Corpus corpus(examples, {});
  Draft draft(corpus);
  const std::size_t pattern = draft.add_pattern(corpus.classes(corpus.examples()[0].rows[0]));
  for (const RowExample& example : corpus.examples()) {
    draft.add_value(example.rows[0], example.rows[1], times);
  }
  draft.find_laws(noise);
  return draft.computes(pattern);
}

TEST(Laws, of_numbers_stand_out_from_wrong_answers) {
  EXPECT_FALSE(law_of_sums(1, 0).has_value());
  const std::optional<text::Computation> law = law_of_sums(1, 0.05);
  ASSERT_TRUE(law.has_value());
  EXPECT_EQ(law->operation, '+');
  EXPECT_EQ(law->modulus, 31);
  // What two lines say is no mistake.
  EXPECT_FALSE(law_of_sums(2, 0.05).has_value());
}

TEST(LearnText, places_in_the_file_are_taken_as_they_are) {
  std::vector<Example> examples;
  for (const char* text : {"xy", "xxy", "xyx", "yxy", "xyxy", "yxyx"}) {
    Example& example = examples.emplace_back();
    example.complete = false;
    example.formulas = {text};
    const std::size_t at = std::string(text).find("xy");
    example.places = {{{at, at + 2, "z"}}};
  }
  const TextSystem system = learn_from_steps(examples, {});
  ASSERT_EQ(system.table.size(), 1u);
  EXPECT_EQ(system.table.begin()->first, "xy");
  EXPECT_EQ(system.table.begin()->second.value, "z");
}

TEST(LearnText, says_that_nothing_repeats) {
  std::vector<Example> examples(1);
  examples[0].formulas = {"a", "b"};
  EXPECT_THROW(learn_from_steps(examples, {}), Error);
}

TEST(Settle, neighbours_decide_separately_and_wrong_ones_are_left_out) {
  const Evidence evidence{{{1, 2}, {0, 50}},
                          {{1, 7}, {0, 20}},
                          {{8, 2}, {0, 30}},
                          {{9, 2}, {10, 40}},
                          {{9, 7}, {0, 12}}};
  const Sides sides = settle(evidence, {.least = 10, .tolerance = 0.02});
  EXPECT_EQ(sides.left, (Symbols{1, 8}));
  EXPECT_EQ(sides.right, (Symbols{2, 7}));
}

}  // namespace
}  // namespace nrs::teach
