// Selecting again only around changes must give what selecting everything again gives.
#include <gtest/gtest.h>

#include "property.h"
#include "rewrite/chained_text.h"
#include "rewrite/modular.h"
#include "rewrite/oracle.h"

namespace nrs::rewrite {
namespace {

TEST(ChainedText, ReplacesByShorterAndLonger) {
  ChainedText text("((1+2)*3)");
  const Stretch three = text.replace({2, 6}, "3");
  EXPECT_EQ(text.str(), "(3*3)");
  EXPECT_EQ(text.copy(three), "3");
  const Stretch longer = text.replace(three, "(12345)");
  EXPECT_EQ(text.str(), "((12345)*3)");
  EXPECT_EQ(text.copy(longer), "(12345)");
  EXPECT_EQ(text.size(), 11u);
  text.replace({text.next(ChainedText::kEdge), text.previous(ChainedText::kEdge)}, "x");
  EXPECT_EQ(text.str(), "x");
}

TEST(ChainedText, RandomReplacementsEqualThoseOfAString) {
  check_law("replace", [] {
    std::string plain = *rc::gen::container<std::string>(20, rc::gen::inRange('a', 'd'));
    ChainedText chained(plain);
    for (int i = 0; i < 8; ++i) {
      const auto begin = *rc::gen::inRange<std::size_t>(0, plain.size());
      const auto end = *rc::gen::inRange<std::size_t>(begin + 1, plain.size() + 1);
      const auto size = *rc::gen::inRange<std::size_t>(1, 6);
      const std::string value(size, static_cast<char>('A' + i));
      Stretch stretch{ChainedText::kEdge, ChainedText::kEdge};
      for (std::size_t k = 0; k <= begin; ++k) stretch.first = chained.next(stretch.first);
      for (std::size_t k = 0; k < end; ++k) stretch.last = chained.next(stretch.last);
      RC_ASSERT(chained.copy(chained.replace(stretch, value)) == value);
      plain.replace(begin, end - begin, value);
      RC_ASSERT(chained.str() == plain);
      RC_ASSERT(chained.size() == plain.size());
    }
  });
}

// A rewriting system in which context matters: `ab` is a leaf unless a `c` stands two before it or
// two behind it. So a rewrite can make and unmake leaves that it does not touch.
class ContextSelector : public Selector {
 public:
  explicit ContextSelector(std::size_t reach) : reach_(reach) {}
  std::vector<std::vector<SelectedLeaf>> select(
      std::span<const Fragment> fragments) const override {
    std::vector<std::vector<SelectedLeaf>> found;
    for (const Fragment& fragment : fragments) {
      auto& leaves = found.emplace_back();
      const std::string_view text = fragment.text;
      for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        if (text.substr(i, 2) != "ab") continue;
        const bool before = i >= 2 && text[i - 2] == 'c';
        const bool behind = i + 3 < text.size() && text[i + 3] == 'c';
        if (!before && !behind) leaves.push_back({.span = {i, i + 2}});
      }
    }
    return found;
  }
  std::size_t reach() const override { return reach_; }

 private:
  std::size_t reach_;
};

// Longer, equal and shorter values; sometimes unsure.
class ContextSolver : public Solver {
 public:
  explicit ContextSolver(std::string value) : value_(std::move(value)) {}
  std::vector<Solution> solve(std::span<const std::string_view> leaves) const override {
    return std::vector<Solution>(leaves.size(), Solution{value_, false, 0});
  }

 private:
  std::string value_;
};

TEST(Windows, EqualFullSelectionWhereContextMatters) {
  check_law("context", [] {
    const std::string formula = *rc::gen::container<std::string>(
        *rc::gen::inRange<std::size_t>(1, 80), rc::gen::elementOf(std::string("aabbcd")));
    const ContextSolver solver(
        *rc::gen::elementOf(std::vector<std::string>{"c", "b", "ac", "bca", "dabd"}));
    for (const Leaves leaves : {Leaves::kAll, Leaves::kLast}) {
      const RunOptions options{.leaves = leaves, .max_steps = 40, .keep_rounds = true};
      const ContextSelector near(3);
      const ContextSelector whole(Selector::kUnbounded);
      const Result a = FastNrs(near, solver).rewrite(formula, options);
      const Result b = FastNrs(whole, solver).rewrite(formula, options);
      RC_ASSERT(a.formula == b.formula);
      RC_ASSERT(a.stop == b.stop);
      RC_ASSERT(a.steps == b.steps);
      RC_ASSERT(replay(formula, a.record) == replay(formula, b.record));
    }
  });
}

// The oracle, but with everything selected again in each round.
class WholeOracle : public OracleSelector {
 public:
  using OracleSelector::OracleSelector;
  std::size_t reach() const override { return kUnbounded; }
};

TEST(Windows, EqualFullSelectionInEveryDomain) {
  check_law("domains", [] {
    const AnyFormula any = any_formula(6);
    const OracleSelector near(*any.domain);
    const WholeOracle whole(*any.domain);
    const OracleSolver solver(*any.domain);
    for (const Leaves leaves : {Leaves::kAll, Leaves::kLast}) {
      const RunOptions options{.leaves = leaves, .keep_rounds = true};
      const Result a = FastNrs(near, solver).rewrite(any.sample.formula, options);
      const Result b = FastNrs(whole, solver).rewrite(any.sample.formula, options);
      RC_ASSERT(replay(any.sample.formula, a.record) == replay(any.sample.formula, b.record));
      RC_ASSERT(a.stop == b.stop);
    }
  });
}

}  // namespace
}  // namespace nrs::rewrite
