// The lean runtime on models with random weights: its laws hold for any weights.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "architectures/architecture.h"
#include "base/rng.h"
#include "mark_logits.h"
#include "nrs/error.h"
#include "random_model.h"
#include "rewrite/modular.h"
#include "runtime/selector.h"
#include "runtime/solver.h"

namespace nrs {
namespace {

const std::string kAlphabet = "abc123";

nn::SelectorConfig small_selector() {
  nn::SelectorConfig config;
  config.encoder.dim = 16;
  config.encoder.heads = 2;
  config.encoder.layers = 3;
  config.encoder.dilations = {1, 2, 1};
  return config;
}

nn::SolverConfig small_solver() {
  nn::SolverConfig config;
  config.encoder.dim = 16;
  config.encoder.heads = 2;
  config.encoder.max_positions = 20;
  config.decoder.max_length = 8;
  return config;
}

using Selections = std::vector<std::vector<SelectedLeaf>>;

Selections select(const Selector& selector, const std::vector<std::string>& texts) {
  std::vector<Fragment> fragments;
  for (const std::string& text : texts) fragments.push_back({.text = text});
  return selector.select(fragments);
}

void expect_same(const std::vector<SelectedLeaf>& a, const std::vector<SelectedLeaf>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].span, b[i].span);
    EXPECT_EQ(a[i].log_prob, b[i].log_prob);
  }
}

void expect_same(const Solution& a, const Solution& b) {
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.omega, b.omega);
  EXPECT_EQ(a.log_prob, b.log_prob);
}

std::vector<std::string> random_texts(std::size_t count, std::size_t longest, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    texts.push_back(random_text(1 + rng.below(longest), kAlphabet, rng));
  }
  return texts;
}

std::vector<std::string_view> views(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

TEST(ContextTable, FindsMostOfTheLatestAndNeverTheWrongOne) {
  for (const std::size_t tokens : {1U, 7U, 8U, 9U, 25U}) {
    nn::ContextTable table(tokens, 1, 256);
    // They differ in the last token only, which must do.
    std::vector<std::uint8_t> context(tokens + 8, 3);
    std::size_t found = 0;
    for (int round = 0; round < 2; ++round) {
      for (int last = 0; last < 200; ++last) {
        context[tokens - 1] = static_cast<std::uint8_t>(last);
        context[tokens] = static_cast<std::uint8_t>(round);  // behind the context: not part of it
        const auto vector = static_cast<float>(last);
        const float* known = table.find(context.data());
        if (known != nullptr) {
          EXPECT_EQ(*known, vector);
        }
        found += known != nullptr ? 1 : 0;
        if (round == 0) table.add(context.data(), &vector);
      }
    }
    EXPECT_GT(found, 140U) << tokens;
  }
}

TEST(Encoder, GivesTheSameBitsWhateverIsWantedOrRemembered) {
  for (const int heads : {1, 2, 4}) {
    nn::SelectorConfig config = small_selector();
    config.encoder.heads = heads;
    config.encoder.window = heads == 1 ? 2 : 1;
    config.encoder.norm = heads == 2 ? nn::Norm::kPost : nn::Norm::kPre;
    const model::SelectorModel model = random_selector(config, kAlphabet, 9);
    const nn::Encoder encoder(
        config.encoder,
        nn::WeightReader(model.weights, std::string(nn::kSelectorPrefix) + "encoder."));
    ASSERT_TRUE(encoder.local());
    nn::EncoderScratch scratch, remembering;
    Rng rng(10);
    for (int batch = 0; batch < 60; ++batch) {
      // Small batches remember all layers, large ones the first ones; an empty row is a row too.
      nn::TokenRows rows;
      const std::size_t longest = batch % 3 == 0 ? 120 : 12;
      for (int row = 0; row < 6; ++row) {
        rows.add(model.tokens.encode(random_text(rng.below(longest), kAlphabet, rng)).ids);
      }
      const float* expected = encoder.run(rows, scratch);
      for (std::int32_t token = 0; token < rows.packing.tokens(); ++token) {
        if (rng.chance(0.7)) rows.wanted.push_back(token);
      }
      const float* found = encoder.run(rows, remembering);
      for (const std::int32_t token : rows.wanted) {
        for (int d = 0; d < config.encoder.dim; ++d) {
          const int at = token * config.encoder.dim + d;
          ASSERT_EQ(found[at], expected[at]) << "batch " << batch << ", token " << token;
        }
      }
    }
  }
}

TEST(ModelSelector, AnswersAreTheSameInAnyCompanyOrderAndNumberOfThreads) {
  for (const nn::Marks marks : {nn::Marks::kBeginInside, nn::Marks::kInside}) {
    nn::SelectorConfig config = small_selector();
    config.marks = marks;
    const model::SelectorModel model = random_selector(config, kAlphabet, 3);
    const runtime::ModelSelector selector(model), threaded(model, {.threads = 3});
    std::vector<std::string> texts = random_texts(200, 60, 7);
    const Selections together = select(selector, texts), parallel = select(threaded, texts);
    std::size_t found = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      expect_same(together[i], parallel[i]);
      expect_same(together[i], select(selector, {texts[i]}).front());
      found += together[i].size();
    }
    EXPECT_GT(found, 20U);
  }
}

TEST(ModelSelector, ALongTextIsCutWhereThatChangesNothing) {
  const model::SelectorModel model = random_selector(small_selector(), kAlphabet, 4);
  const runtime::ModelSelector selector(model);
  Rng rng(5);
  const std::string text = random_text(10'000, kAlphabet, rng);
  const std::vector<float> logits = mark_logits(selector, model, text);
  const std::vector<SelectedLeaf> leaves = select(selector, {text}).front();
  std::size_t at = 0;
  for (const SelectedLeaf& leaf : leaves) {
    EXPECT_GE(leaf.span.begin, at);
    double log_prob = 0;
    for (std::size_t i = leaf.span.begin; i < leaf.span.end; ++i) {
      const float* three = logits.data() + 3 * i;
      const int mark = i == leaf.span.begin ? nn::kBegin : nn::kInsideAfterBegin;
      for (int c = 0; c < 3; ++c) EXPECT_LE(three[c], three[mark]);
      double sum = 0;
      for (int c = 0; c < 3; ++c) sum += std::exp(double{three[c]} - three[mark]);
      log_prob -= std::log(sum);
    }
    EXPECT_NEAR(leaf.log_prob, log_prob, 1e-4);
    at = leaf.span.end;
  }
  EXPECT_GT(leaves.size(), 100U);
}

TEST(ModelSelector, AnUnknownCharacterIsInNoLeafAndIsNamed) {
  const model::SelectorModel model = random_selector(small_selector(), kAlphabet, 4);
  const runtime::ModelSelector selector(model);
  for (const auto& leaves : select(selector, {"ab#c12a", "#", "", "12\xff\xc3"})) {
    for (const SelectedLeaf& leaf : leaves) {
      EXPECT_TRUE(leaf.span.end <= 2 || leaf.span.begin > 2);
    }
  }
  EXPECT_NO_THROW(model.tokens.encode("abc"));
  EXPECT_THROW(model.tokens.encode("ab#"), Error);
}

TEST(ModelSelector, ReachIsBoundedOnlyIfNothingAbsoluteIsSeen) {
  const auto reach = [](const nn::SelectorConfig& config) {
    const model::SelectorModel model = random_selector(config, kAlphabet, 4);
    return runtime::ModelSelector(model).reach();
  };
  nn::SelectorConfig config = small_selector();
  EXPECT_EQ(reach(config), 5U);
  config.encoder.place_values = 2;
  EXPECT_EQ(reach(config), 7U);
  config.encoder.positions = nn::Positions::kLabel;
  EXPECT_EQ(reach(config), Selector::kUnbounded);
  config = small_selector();
  config.token_rules = {"[0-9]+"};
  EXPECT_EQ(reach(config), Selector::kUnbounded);
  config = small_selector();
  config.marks = nn::Marks::kInside;
  EXPECT_EQ(reach(config), 5U);
  config.leaf_rules = {"[0-9]+"};
  EXPECT_EQ(reach(config), Selector::kUnbounded);
  config = small_selector();
  config.encoder.dilations = {};
  config.encoder.relative_slots = false;
  EXPECT_EQ(reach(config), Selector::kUnbounded);
}

TEST(ModelSelector, RulesTellTouchingLeavesApart) {
  nn::SelectorConfig config = small_selector();
  config.marks = nn::Marks::kInside;
  config.token_rules = {"MAX", "SM"};
  config.leaf_rules = {"[[]MAX[0-9]+[]]", "[[]SM[0-9]+[]]"};
  model::SelectorModel model = random_selector(config, "[MAX12]SM", 4);
  model.weights["selector.head.bias"].values = {0, 100, 0};  // all that it knows is inside
  const runtime::ModelSelector selector(model);
  const auto leaves = [&](const std::string& text) {
    std::vector<std::string> found;
    const Selections selected = select(selector, {text});
    for (const SelectedLeaf& leaf : selected.front()) found.emplace_back(leaf.span.of(text));
    return found;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(leaves("#[MAX12][SM2]#[SM1]"), (Texts{"[MAX12]", "[SM2]", "[SM1]"}));
  EXPECT_EQ(leaves("1[MAX12]2][SM2]SM"), (Texts{"[MAX12]", "[SM2]"}));
  // With one leaf or none in it, the run is what the Selector says, right or wrong.
  EXPECT_EQ(leaves("1[MAX12]2]"), (Texts{"1[MAX12]2]"}));
  EXPECT_EQ(leaves("#12#"), (Texts{"12"}));
}

// Also where the borders of leaves are not those of tokens.
TEST(ModelSelector, LeavesThatRulesFindArePartsOfARunInOrder) {
  std::size_t apart = 0;
  for (const char* token : {"12", "[0-9]+", "[abc]+"}) {
    nn::SelectorConfig config = small_selector();
    config.marks = nn::Marks::kInside;
    config.token_rules = {token};
    model::SelectorModel model = random_selector(config, kAlphabet, 4);
    const std::vector<std::string> texts = random_texts(300, 40, 9);
    const Selections runs = select(runtime::ModelSelector(model), texts);
    model.config.leaf_rules = {"[0-9][0-9]", "[abc]+"};
    const Selections leaves = select(runtime::ModelSelector(model), texts);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      std::size_t at = 0, run = 0;
      for (const SelectedLeaf& leaf : leaves[i]) {
        EXPECT_LE(at, leaf.span.begin);
        EXPECT_LT(leaf.span.begin, leaf.span.end);
        at = leaf.span.end;
        while (run < runs[i].size() && runs[i][run].span.end < at) ++run;
        ASSERT_LT(run, runs[i].size());
        EXPECT_LE(runs[i][run].span.begin, leaf.span.begin);
        apart += leaf.span == runs[i][run].span ? 0 : 1;
      }
    }
  }
  EXPECT_GT(apart, 100U);
}

TEST(ModelSelector, ALeafThatRulesFoundIsAsSureAsItsTokens) {
  nn::SelectorConfig config = small_selector();
  config.marks = nn::Marks::kInside;
  model::SelectorModel model = random_selector(config, kAlphabet, 4);
  model.weights["selector.head.bias"].values = {0, 5, 0};
  const auto together = select(runtime::ModelSelector(model), {"12"}).front();
  model.config.leaf_rules = {"[0-9]"};
  const auto apart = select(runtime::ModelSelector(model), {"12"}).front();
  ASSERT_EQ(together.size(), 1U);
  ASSERT_EQ(apart.size(), 2U);
  EXPECT_LT(apart[0].log_prob, 0);
  EXPECT_DOUBLE_EQ(apart[0].log_prob + apart[1].log_prob, together[0].log_prob);
}

// The same Selector, asked about everything each time.
struct Unbounded : Selector {
  explicit Unbounded(const Selector& wrapped) : wrapped_(wrapped) {}
  std::vector<std::vector<SelectedLeaf>> select(std::span<const Fragment> all) const override {
    return wrapped_.select(all);
  }
  const Selector& wrapped_;
};

// Shortens every leaf to something that depends on it.
struct Shorten : Solver {
  std::vector<Solution> solve(std::span<const std::string_view> leaves) const override {
    std::vector<Solution> solutions;
    for (const std::string_view leaf : leaves) {
      const std::size_t hash = hash_text(leaf);
      Solution& solution = solutions.emplace_back();
      solution.omega = leaf.size() == 1;
      for (std::size_t i = 0; i + 1 < leaf.size() && i < 2; ++i) {
        solution.value += kAlphabet[(hash >> (8 * i)) % kAlphabet.size()];
      }
    }
    return solutions;
  }
};

TEST(ModelSelector, SelectingAroundChangesFindsWhatSelectingEverythingWould) {
  std::size_t steps = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    nn::SelectorConfig config = small_selector();
    config.marks = seed % 3 == 2 ? nn::Marks::kInside : nn::Marks::kBeginInside;
    config.encoder.place_values = seed % 2 == 0 ? 0 : 2;
    const model::SelectorModel model = random_selector(config, kAlphabet, seed);
    const runtime::ModelSelector selector(model);
    const Unbounded unbounded(selector);
    const Shorten solver;
    for (const Leaves leaves : {Leaves::kAll, Leaves::kLast}) {
      const RunOptions options{.leaves = leaves, .keep_rounds = true};
      const std::vector<std::string> texts = random_texts(60, 150, seed + 100);
      const auto a = rewrite::FastNrs(selector, solver).run(views(texts), options);
      const auto b = rewrite::FastNrs(unbounded, solver).run(views(texts), options);
      for (std::size_t i = 0; i < texts.size(); ++i) {
        ASSERT_EQ(a[i].formula, b[i].formula) << "seed " << seed << ": " << texts[i];
        EXPECT_EQ(a[i].stop, b[i].stop);
        EXPECT_EQ(a[i].steps, b[i].steps);
        steps += a[i].steps;
      }
    }
  }
  EXPECT_GT(steps, 1000U);
}

TEST(ModelSolver, AnswersAreTheSameInAnyCompanyRememberedOrNot) {
  const model::SolverModel model = random_solver(small_solver(), kAlphabet, 6);
  const runtime::ModelSolver solver(model), forgetful(model, {.remembered = 0}),
      crowded(model, {.remembered = 32, .threads = 3});
  const std::vector<std::string> leaves = random_texts(300, 20, 8);
  const auto first = solver.solve(views(leaves)), again = solver.solve(views(leaves));
  const auto other = crowded.solve(views(leaves));
  std::size_t answered = 0;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const std::string_view leaf = leaves[i];
    expect_same(first[i], again[i]);
    expect_same(first[i], other[i]);
    expect_same(first[i], forgetful.solve({&leaf, 1}).front());
    answered += std::isfinite(first[i].log_prob) ? 1 : 0;
    EXPECT_LE(first[i].log_prob, 0);
  }
  EXPECT_GT(answered, 100U);
}

TEST(ModelSolver, WhatItCannotReadIsUnanswered) {
  const model::SolverModel model = random_solver(small_solver(), kAlphabet, 6);
  const runtime::ModelSolver solver(model);
  const std::vector<std::string> leaves = {"ab#", "", std::string(21, 'a'), "\xff"};
  for (const Solution& solution : solver.solve(views(leaves))) {
    EXPECT_EQ(solution.log_prob, -std::numeric_limits<double>::infinity());
    EXPECT_FALSE(solution.omega);
    EXPECT_TRUE(solution.value.empty());
  }
}

TEST(RunningModel, NeedsBothModules) {
  model::Model model;
  model.modules["selector"] = model::to_module(random_selector(small_selector(), kAlphabet, 1));
  EXPECT_THROW(architectures::RunningModel{model}, Error);
  model.modules["solver"] = model::to_module(random_solver(small_solver(), kAlphabet, 1));
  EXPECT_EQ(architectures::RunningModel(model).rewriter().threshold(), -1);
}

}  // namespace
}  // namespace nrs
