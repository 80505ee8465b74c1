// What a Solver may be asked.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/rng.h"
#include "learn/train/guard.h"
#include "model/leaf_guard.h"
#include "nrs/domain.h"
#include "nrs/error.h"

namespace nrs {
namespace {

constexpr int kWhole = model::LeafGuard::kWholeTexts;

TEST(LeafGuard, OfWholeTextsAcceptsTheseAndNoOther) {
  const model::LeafGuard guard =
      model::LeafGuard::of_texts({"(a&b)", "(a|b)", "a", "(a&b)"}, kWhole);
  for (const char* text : {"(a&b)", "(a|b)", "a"}) EXPECT_TRUE(guard.accepts(text)) << text;
  for (const char* text : {"", "b", "(a&a)", "(a&b", "(a&b))", "aa"}) {
    EXPECT_FALSE(guard.accepts(text)) << text;
  }
}

// Against a set, on random texts over few letters.
TEST(LeafGuard, IsASet) {
  Rng rng(3);
  const auto text = [&] {
    std::string made;
    for (std::uint64_t i = rng.below(7); i > 0; --i) made += static_cast<char>('a' + rng.below(3));
    return made;
  };
  for (int round = 0; round < 50; ++round) {
    std::set<std::string> taught;
    for (int i = 0; i < 30; ++i) taught.insert(text());
    const model::LeafGuard guard =
        model::LeafGuard::of_texts({taught.begin(), taught.end()}, kWhole);
    for (int i = 0; i < 300; ++i) {
      const std::string asked = text();
      ASSERT_EQ(guard.accepts(asked), taught.contains(asked)) << asked;
    }
  }
}

TEST(LeafGuard, OfPartsAcceptsWhatHasNoNewOne) {
  const model::LeafGuard guard = model::LeafGuard::of_texts({"abab", "b"}, 2);
  for (const char* text : {"ab", "ababab", "b"}) EXPECT_TRUE(guard.accepts(text)) << text;
  for (const char* text : {"aa", "ba", "a", "abb", ""}) EXPECT_FALSE(guard.accepts(text)) << text;
}

TEST(LeafGuard, BothAcceptsWhatEachAccepts) {
  model::ByteClasses classes = model::all_apart();
  classes['I'] = classes['A'];
  classes['N'] = classes['X'];
  const std::vector<std::string> texts = {"MIN", "MAX"};
  const model::LeafGuard shapes = model::LeafGuard::of_texts(texts, kWhole, classes);
  EXPECT_TRUE(shapes.accepts("MIX"));
  const model::LeafGuard both =
      model::LeafGuard::both(shapes, model::LeafGuard::of_texts(texts, 2));
  for (const char* text : {"MIN", "MAX"}) EXPECT_TRUE(both.accepts(text)) << text;
  for (const char* text : {"MIX", "MAN", "MI", "MAXX"}) EXPECT_FALSE(both.accepts(text)) << text;
}

TEST(LeafGuard, OfProductsAcceptsOneOfEachPart) {
  const model::LeafGuard guard = model::LeafGuard::of_products(
      {{{"add<"}, {"1", "12"}, {","}, {"2", "21"}, {">"}}, {{"1", "12", "2"}}, {{"1"}, {"23"}}});
  for (const char* text : {"add<1,2>", "add<12,2>", "add<1,21>", "1", "12", "2", "123"}) {
    EXPECT_TRUE(guard.accepts(text)) << text;
  }
  for (const char* text : {"", "add<2,1>", "add<1,12>", "add<1,2", "add<1,2>>", "21", "1231"}) {
    EXPECT_FALSE(guard.accepts(text)) << text;
  }
}

// Two out of three times a state has to remember which of the last 20 letters was an a.
TEST(LeafGuard, ThatWouldBeTooLargeIsRefused) {
  model::TextProduct many(1, {"a"});
  many.resize(20, {"a", "b"});
  std::vector<model::TextProduct> products;
  for (std::size_t before = 0; before < 20; ++before) {
    products.push_back(model::TextProduct(before, {"a", "b"}));
    products.back().insert(products.back().end(), many.begin(), many.end());
  }
  EXPECT_THROW(model::LeafGuard::of_products(products), Error);
}

learn::SolverPairs some_sums(double share) {
  learn::SolverPairs pairs;
  Rng rng(5);
  find_domain("arithmetic").for_each_atom([&](auto atom) { pairs.train.add_final(atom); });
  find_domain("arithmetic").for_each_leaf(FormulaSpace::kWhole, [&](auto leaf, auto value) {
    (rng.chance(share) ? pairs.train : pairs.unseen).add(leaf, value, 1);
  });
  pairs.met.assign(pairs.train.size(), 1);
  return pairs;
}

TEST(MakeGuard, OfAllThereIsAcceptsNothingElse) {
  learn::SolverPairs pairs = some_sums(0.1);
  pairs.complete = true;
  const auto guard = learn::make_guard(pairs);
  ASSERT_TRUE(guard);
  EXPECT_TRUE(guard->accepts(pairs.train.text(0)));
  EXPECT_FALSE(guard->accepts(pairs.unseen.text(0)));
}

// A sample of the leaves: those that were not shown are let through, what is no leaf is not.
TEST(MakeGuard, OfASampleKnowsTheShapes) {
  const learn::SolverPairs pairs = some_sums(0.25);
  const auto guard = learn::make_guard(pairs);
  ASSERT_TRUE(guard);
  std::size_t lost = 0;
  for (std::size_t i = 0; i < pairs.unseen.size(); ++i) {
    lost += guard->accepts(pairs.unseen.text(i)) ? 0 : 1;
  }
  EXPECT_LT(static_cast<double>(lost), 0.001 * static_cast<double>(pairs.unseen.size()));
  Rng rng(6);
  std::size_t invented = 0;
  const std::vector<std::string> wrong = learn::mutants(pairs, 5000, rng);
  ASSERT_GT(wrong.size(), 4000);
  std::string some;
  for (const std::string& text : wrong) {
    if (!guard->accepts(text)) continue;
    if (++invented < 6) some += text + " ";
  }
  EXPECT_LT(static_cast<double>(invented), 0.001 * static_cast<double>(wrong.size())) << some;
  for (const char* text : {"(1+2+3)", "(05+3)", "(123+4)", "(1+2", "1+2", "(--1+2)"}) {
    EXPECT_FALSE(guard->accepts(text)) << text;
  }
}

TEST(MakeGuard, OfTextsThatAreNotCountedThereIsNone) {
  learn::SolverPairs pairs = some_sums(0.25);
  pairs.met.clear();
  EXPECT_FALSE(learn::make_guard(pairs));
}

// cat puts words of a, b, c and d together as long as they have three letters at most; half of what
// it can do is taught, each once.
TEST(MakeGuard, OfASampleKnowsTheForms) {
  std::vector<std::string> words = {""};
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (const char c : {'a', 'b', 'c', 'd'}) {
      if (words[i].size() < 3) words.push_back(words[i] + c);
    }
  }
  words.erase(words.begin());
  learn::SolverPairs pairs;
  for (const std::string& word : words) pairs.train.add_final(word);
  pairs.met.assign(words.size(), 2);
  std::set<std::string> valued(words.begin(), words.end());
  Rng rng(7);
  for (const std::string& a : words) {
    for (const std::string& b : words) {
      if (a.size() + b.size() > 3) continue;
      const std::string leaf = "cat(" + a + "," + b + ")";
      valued.insert(leaf);
      if (!rng.chance(0.5)) continue;
      pairs.train.add(leaf, a + b, 1);
      pairs.met.push_back(1);
    }
  }
  const auto guard = learn::make_guard(pairs);
  ASSERT_TRUE(guard);
  for (const std::string& text : valued) EXPECT_TRUE(guard->accepts(text)) << text;
  for (const std::string& text : learn::mutants(pairs, 5000, rng)) {
    EXPECT_EQ(guard->accepts(text), valued.contains(text)) << text;
  }
}

// Each text came several times, so there are hardly any others.
TEST(MakeGuard, OfASmallClosedSetIsTheSet) {
  learn::SolverPairs pairs;
  for (const char* text : {"rev(a)", "rev(ab)", "rev(ba)", "rev(b)"}) pairs.train.add(text, "x", 1);
  pairs.met.assign(4, 3);
  const auto guard = learn::make_guard(pairs);
  ASSERT_TRUE(guard);
  EXPECT_TRUE(guard->accepts("rev(ab)"));
  for (const char* text : {"rev(bb)", "rev(aba)", "rev()"}) EXPECT_FALSE(guard->accepts(text));
}

}  // namespace
}  // namespace nrs
