// The engine: exact modules reach the value whatever the order; wrong modules end in a stop reason.
#include "rewrite/modular.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/rng.h"
#include "property.h"
#include "rewrite/oracle.h"

namespace nrs::rewrite {
namespace {

// Stand-ins for modules that make mistakes.
class StubSelector : public Selector {
 public:
  using Find = std::function<std::vector<Span>(std::string_view)>;
  explicit StubSelector(Find find) : find_(std::move(find)) {}
  std::vector<std::vector<SelectedLeaf>> select(
      std::span<const Fragment> fragments) const override {
    std::vector<std::vector<SelectedLeaf>> found;
    for (const Fragment& fragment : fragments) {
      auto& leaves = found.emplace_back();
      for (const Span span : find_(fragment.text)) leaves.push_back({.span = span});
    }
    return found;
  }

 private:
  Find find_;
};

class StubSolver : public Solver {
 public:
  using Answer = std::function<Solution(std::string_view)>;
  explicit StubSolver(Answer answer) : answer_(std::move(answer)) {}
  std::vector<Solution> solve(std::span<const std::string_view> leaves) const override {
    std::vector<Solution> solutions;
    for (const std::string_view leaf : leaves) solutions.push_back(answer_(leaf));
    return solutions;
  }

 private:
  Answer answer_;
};

Solution say(std::string value, double log_prob = 0) {
  return {.value = std::move(value), .omega = false, .log_prob = log_prob};
}

const Domain& arithmetic_domain() {
  return find_domain("arithmetic");
}

Result run_with(const StubSelector::Find& find, const StubSolver::Answer& answer,
                std::string_view formula, RunOptions options = {}) {
  const StubSelector selector(find);
  const StubSolver solver(answer);
  return FastNrs(selector, solver).rewrite(formula, options);
}

std::vector<Span> exact_leaves(std::string_view text) {
  if (arithmetic_domain().is_atom(text)) return {{0, text.size()}};
  return arithmetic_domain().leaves(text);
}

Solution exact_value(std::string_view leaf) {
  if (const auto value = arithmetic_domain().value(leaf)) return say(*value);
  return {.value = {}, .omega = true, .log_prob = 0};
}

TEST(Combine, ReplacesLeavesOfDifferentLength) {
  const std::vector<Step> steps = {{{1, 6}, "3"}, {{7, 13}, "-7"}};
  EXPECT_EQ(combine("((1+2)*(3-10))", steps), "(3*-7)");
  EXPECT_EQ(combine("abc", {}), "abc");
}

TEST(Engine, EveryDerivationEndsInTheValueInEitherOrder) {
  check_law("value", [] {
    const AnyFormula any = any_formula(6);
    const OracleRewriter oracle(*any.domain);
    for (const Leaves leaves : {Leaves::kAll, Leaves::kLast}) {
      const Result result = oracle.rewrite(any.sample.formula, {.leaves = leaves});
      RC_ASSERT(result.ok());
      RC_ASSERT(result.formula == any.sample.value);
    }
  });
}

// Rewrites a leaf chosen at random each time: convergence is what all the rest relies on.
TEST(Engine, AnyOrderOfRewritingGivesTheSameValue) {
  check_law("confluence", [] {
    const AnyFormula any = any_formula(4);
    std::string formula = any.sample.formula;
    while (!any.domain->is_atom(formula)) {
      const std::vector<Span> leaves = any.domain->leaves(formula);
      RC_ASSERT(!leaves.empty());
      const Span leaf = leaves[*rc::gen::inRange<std::size_t>(0, leaves.size())];
      formula.replace(leaf.begin, leaf.size(), *any.domain->value(leaf.of(formula)));
    }
    RC_ASSERT(formula == any.sample.value);
  });
}

TEST(Engine, RecordsWhatItDid) {
  const OracleRewriter oracle(arithmetic_domain());
  const std::string formula = "((15+5)*(3-4))";
  const Result all = oracle.rewrite(formula, {.keep_rounds = true});
  EXPECT_EQ(all.rounds, 2u);
  EXPECT_EQ(all.steps, 3u);
  ASSERT_EQ(all.record.size(), 3u);
  EXPECT_EQ(all.record[0][1].step, (Step{{8, 13}, "-1"}));
  EXPECT_EQ(replay(formula, all.record), (std::vector<std::string>{formula, "(20*-1)", "-20"}));
  ASSERT_EQ(all.record[2].size(), 1u);
  EXPECT_EQ(all.record[2][0].step, (Step{{0, 3}, ""}));
  EXPECT_TRUE(all.record[2][0].omega);
  EXPECT_FALSE(all.record[2][0].applied);
  EXPECT_EQ(all.record[0][1].origin.source, ValueSource::kOracle);
  const Result last = oracle.rewrite(formula, {.leaves = Leaves::kLast, .keep_rounds = true});
  EXPECT_EQ(replay(formula, last.record),
            (std::vector<std::string>{formula, "((15+5)*-1)", "(20*-1)", "-20"}));
}

TEST(Engine, DoesNotDependOnCompanions) {
  const OracleRewriter oracle(arithmetic_domain());
  std::vector<std::string> formulas;
  Sample sample;
  for (std::uint64_t i = 0; i < 50; ++i) {
    Rng rng(i);
    arithmetic_domain().generate({static_cast<int>(i % 6), 2}, rng, sample);
    formulas.push_back(sample.formula);
  }
  const std::vector<std::string_view> views(formulas.begin(), formulas.end());
  const std::vector<Result> together = oracle.run(views, {});
  for (std::size_t i = 0; i < views.size(); ++i) {
    const Result alone = oracle.rewrite(views[i]);
    EXPECT_EQ(together[i].formula, alone.formula);
    EXPECT_EQ(together[i].rounds, alone.rounds);
  }
  EXPECT_TRUE(oracle.run({}, {}).empty());
}

TEST(Engine, AnAtomIsFinalAtOnce) {
  const Result result = run_with(exact_leaves, exact_value, "-20");
  EXPECT_EQ(result.stop, Stop::kFinal);
  EXPECT_EQ(result.steps, 0u);
}

TEST(EngineStops, NoLeaf) {
  const auto nothing = [](std::string_view) { return std::vector<Span>{}; };
  const Result result = run_with(nothing, exact_value, "(1+2)");
  EXPECT_EQ(result.stop, Stop::kNoLeaf);
  EXPECT_EQ(result.formula, "(1+2)");
  EXPECT_EQ(run_with(exact_leaves, exact_value, "").stop, Stop::kNoLeaf);
}

TEST(EngineStops, SpansOutsideTheFormulaAreNotFollowed) {
  const auto wild = [](std::string_view text) {
    return std::vector<Span>{{3, 3}, {text.size(), text.size() + 5}};
  };
  EXPECT_EQ(run_with(wild, exact_value, "(1+2)").stop, Stop::kNoLeaf);
}

TEST(EngineStops, LowConfidenceLeavesTheFormulaAsItIs) {
  const auto unsure = [](std::string_view) { return say("3", -5); };
  const Result result = run_with(exact_leaves, unsure, "(1+2)", {.min_log_prob = -2});
  EXPECT_EQ(result.stop, Stop::kLowConfidence);
  EXPECT_EQ(result.formula, "(1+2)");
  const auto unsure_end = [](std::string_view) { return Solution{{}, true, -5}; };
  EXPECT_EQ(run_with(exact_leaves, unsure_end, "3", {.min_log_prob = -2}).stop,
            Stop::kLowConfidence);
}

TEST(EngineStops, UnsureLeavesWaitWhileTheOthersGoOn) {
  const auto solver = [](std::string_view leaf) {
    return leaf == "(1+2)" ? say("9", -5) : exact_value(leaf);
  };
  const Result result = run_with(exact_leaves, solver, "((1+2)*((3-4)+(5+6)))",
                                 {.min_log_prob = -2, .keep_rounds = true});
  EXPECT_EQ(result.stop, Stop::kLowConfidence);
  EXPECT_EQ(result.formula, "((1+2)*10)");
  ASSERT_GE(result.record.size(), 2u);
  EXPECT_FALSE(result.record[1][0].applied);
  EXPECT_TRUE(result.record[1][1].applied);
  ASSERT_EQ(result.record.back().size(), 1u);
  EXPECT_EQ(result.record.back()[0].step, (Step{{1, 6}, "9"}));
  EXPECT_FALSE(result.record.back()[0].applied);
}

TEST(EngineStops, OmegaOfAPartDoesNotEndTheWhole) {
  const auto solver = [](std::string_view leaf) {
    return leaf == "(1+2)" ? Solution{{}, true, 0} : exact_value(leaf);
  };
  const Result result = run_with(exact_leaves, solver, "((1+2)*(3-4))");
  EXPECT_EQ(result.stop, Stop::kLowConfidence);
  EXPECT_EQ(result.formula, "((1+2)*-1)");
}

TEST(EngineStops, Malformed) {
  const auto open = [](std::string_view) { return say("(3"); };
  EXPECT_EQ(run_with(exact_leaves, open, "((1+2)*3)").stop, Stop::kMalformed);
  const auto nothing = [](std::string_view) { return say(""); };
  EXPECT_EQ(run_with(exact_leaves, nothing, "(1+2)").stop, Stop::kMalformed);
  const auto half = [](std::string_view) { return std::vector<Span>{{0, 3}}; };
  EXPECT_EQ(run_with(
                half, [](std::string_view) { return say("7"); }, "((1+2)*3)")
                .stop,
            Stop::kMalformed);
}

TEST(EngineStops, Cycle) {
  const auto same = [](std::string_view leaf) { return say(std::string(leaf)); };
  EXPECT_EQ(run_with(exact_leaves, same, "(1+2)").stop, Stop::kCycle);
  const auto swap = [](std::string_view leaf) { return say(leaf == "(1+2)" ? "(2+1)" : "(1+2)"); };
  EXPECT_EQ(run_with(exact_leaves, swap, "((1+2)*3)").stop, Stop::kCycle);
}

TEST(EngineStops, StepLimit) {
  const auto grow = [](std::string_view leaf) { return say("(" + std::string(leaf) + "+1)"); };
  const Result result = run_with(exact_leaves, grow, "(1+2)", {.max_steps = 50});
  EXPECT_EQ(result.stop, Stop::kStepLimit);
  EXPECT_EQ(result.steps, 50u);
  EXPECT_EQ(run_with(exact_leaves, grow, "(1+2)").stop, Stop::kStepLimit);
}

// A comb has as many rounds as it is deep; each must cost the same, or this test takes for ever.
TEST(Engine, DepthCostsNoMoreThanLength) {
  constexpr std::size_t kDepth = 100000;
  std::string formula(kDepth, '(');
  formula += "1";
  for (std::size_t i = 0; i < kDepth; ++i) formula += "+1)";
  const OracleRewriter oracle(arithmetic_domain());
  for (const Leaves leaves : {Leaves::kAll, Leaves::kLast}) {
    const Result result = oracle.rewrite(formula, {.leaves = leaves});
    EXPECT_TRUE(result.ok());
    EXPECT_EQ(result.formula, "1");
    EXPECT_EQ(result.rounds, kDepth);
  }
}

}  // namespace
}  // namespace nrs::rewrite
