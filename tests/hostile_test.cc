// Models that are sound as files and mean no good, and formulas that no model has seen: an engine
// always comes to an end with a reason. Numbers are those of the list of scenarios that every such
// fault is checked against: here 11 to 14, 19 and 31; files are in safetensors_test.cc (1 to 5, 9),
// model_file_test.cc (6, 7) and trace_file_test.cc (29), formulas in reading_test.cc (10), stubs in
// engine_test.cc (12, 13), the same from the command line in hostile_test.py.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "architectures/architecture.h"
#include "mark_logits.h"
#include "random_model.h"
#include "runtime/selector.h"
#include "runtime/solver.h"

namespace nrs {
namespace {

const std::string kHostileAlphabet = "()+12";

model::Model random_model(std::uint64_t seed) {
  nn::SelectorConfig selector;
  selector.encoder.dim = 8;
  selector.encoder.heads = 2;
  selector.encoder.layers = 2;
  selector.encoder.dilations = {1, 2};
  nn::SolverConfig solver;
  solver.encoder.dim = 8;
  solver.encoder.heads = 2;
  solver.encoder.max_positions = 16;
  solver.decoder.max_length = 6;
  model::Model model;
  model.modules["selector"] = model::to_module(random_selector(selector, kHostileAlphabet, seed));
  model.modules["solver"] = model::to_module(random_solver(solver, kHostileAlphabet, seed));
  change_solver(model, [](model::SolverModel& made) { made.min_log_prob = -1e9; });
  return model;
}

void scale(nn::WeightMap& weights, float factor) {
  for (auto& entry : weights) {
    for (float& value : entry.second.values) value *= factor;
  }
}

std::vector<std::string> formulas() {
  Rng rng(3);
  std::vector<std::string> texts = {"1",
                                    "((1+2)+(2+1))",
                                    std::string(500, '('),
                                    std::string(500, '1'),
                                    std::string("1\0002", 3),
                                    "\xff\xfe"};
  for (int i = 0; i < 20; ++i)
    texts.push_back(random_text(1 + rng.below(200), kHostileAlphabet, rng));
  return texts;
}

// 12, 13, 14: values that grow, swap or stay the same, marks all over the place, no number at all.
TEST(Hostile, WhateverTheWeightsAreEveryFormulaEndsWithAReason) {
  const std::vector<std::string> texts = formulas();
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  std::vector<int> stops(8);
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    // The largest overflow to infinity, from which NaN comes.
    for (const float factor : {0.0F, 1e-20F, 1.0F, 30.0F, 1e18F}) {
      model::Model model = random_model(seed);
      scale(model.modules.at("selector").weights, factor);
      scale(model.modules.at("solver").weights, factor);
      const architectures::RunningModel running(std::move(model));
      for (const Leaves leaves : {Leaves::kAll, Leaves::kLast}) {
        const std::vector<Result> results = running.rewriter().run(views, {.leaves = leaves});
        for (std::size_t i = 0; i < texts.size(); ++i) {
          ++stops[static_cast<std::size_t>(results[i].stop)];
          EXPECT_LE(results[i].steps, 8 * (texts[i].size() + 64));
          if (results[i].steps == 0) {
            EXPECT_EQ(results[i].formula, texts[i]);
          }
        }
      }
    }
  }
  EXPECT_GT(stops[static_cast<std::size_t>(Stop::kNoLeaf)], 0);
  EXPECT_GT(stops[static_cast<std::size_t>(Stop::kMalformed)], 0);
  EXPECT_GT(stops[static_cast<std::size_t>(Stop::kLowConfidence)], 0);
}

// 14: the longest output that a file may allow, and a Solver that never ends it.
TEST(Hostile, AValueWithoutAnEndIsCutAndUnanswered) {
  nn::SolverConfig config;
  config.encoder.dim = 8;
  config.encoder.heads = 2;
  config.decoder.layers = 4;
  config.decoder.positions = nn::Positions::kSinusoid;
  config.decoder.max_length = 1 << 12;
  model::SolverModel model = random_solver(config, kHostileAlphabet, 1);
  model.weights["solver.head.bias"].values[model::kEndId] = -1e9F;
  const runtime::ModelSolver solver(model);
  EXPECT_LE(solver.network().decoder().memory_of_one(), std::size_t{1} << 20);
  const std::vector<std::string_view> leaves = {"(1+2)", "12", "(1+1)"};
  for (const Solution& solution : solver.solve(leaves)) {
    EXPECT_EQ(solution.log_prob, -std::numeric_limits<double>::infinity());
    EXPECT_TRUE(solution.value.empty());
  }
}

// 11: a Selector with absolute positions cannot read what is longer.
TEST(Hostile, AFormulaBeyondTheLastPositionHasNoLeaf) {
  model::Model model = random_model(1);
  nn::SelectorConfig config = model::selector_of(model).config;
  config.encoder.positions = nn::Positions::kLearned;
  config.encoder.max_positions = 50;
  model.modules["selector"] = model::to_module(random_selector(config, kHostileAlphabet, 2));
  const architectures::RunningModel running(std::move(model));
  for (const std::size_t length : {49U, 50U, 51U, 5000U}) {
    const std::string text(length, '1');
    const Result result = running.rewriter().rewrite(text, {.min_log_prob = -INFINITY});
    if (length > 50) {
      EXPECT_EQ(result.stop, Stop::kNoLeaf) << length;
    }
  }
}

// 31: the shortest and a long row, and a window in which nothing but the token itself is seen.
TEST(Hostile, LogitsAreFiniteForEveryLength) {
  nn::SelectorConfig config = model::selector_of(random_model(1)).config;
  for (const int dilation : {1, 1 << 20}) {
    config.encoder.dilations = {dilation, dilation};
    const model::SelectorModel model = random_selector(config, kHostileAlphabet, 5);
    const runtime::ModelSelector selector(model);
    Rng rng(6);
    for (const std::size_t length : {1U, 2U, 47U, 48U, 49U, 10'000U}) {
      const std::string text = random_text(length, kHostileAlphabet, rng);
      for (const float logit : mark_logits(selector, model, text)) {
        ASSERT_TRUE(std::isfinite(logit)) << length;
      }
    }
    EXPECT_TRUE(selector.select(std::vector<Fragment>{{.text = ""}}).front().empty());
  }
}

// More than an int can hold, from a file of a few bytes.
TEST(Hostile, ARadiusBeyondEveryNumberIsARadius) {
  nn::EncoderConfig config;
  config.layers = 64;
  config.window = 64;
  config.dilations.assign(64, 1 << 20);
  EXPECT_GT(*nn::receptive_radius(config), 1 << 29);
}

}  // namespace
}  // namespace nrs
