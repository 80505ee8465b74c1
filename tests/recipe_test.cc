// Recipes, samplers and example lists: everything of learning that needs no torch.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "learn/examples/example_source.h"
#include "learn/examples/samplers.h"
#include "learn/train/thresholds.h"
#include "model/tokenizer.h"
#include "nn/tensor_names.h"
#include "nrs/error.h"
#include "parameter_count.h"
#include "property.h"
#include "recipe/recipe.h"

namespace nrs {
namespace {

const std::string kSmallest = "[data]\ndomains = [\"logic\"]\n";

// What load fails with, as a person would see it.
std::string refusal(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    recipe::parse_recipe(text, "r.toml", overrides);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.line();
  }
  return "no error";
}

TEST(Recipe, UnknownKeyNamesLineAndNearest) {
  EXPECT_EQ(refusal(kSmallest + "[train.solver]\nstpes = 5\n"),
            "r.toml:4: unknown key train.solver.stpes (did you mean train.solver.steps?)");
  EXPECT_NE(refusal(kSmallest + "[sellector]\n").find("did you mean selector?"), std::string::npos);
}

TEST(Recipe, ANameIsNoPath) {
  for (const char* good : {"logic", "my-model_2.1", "A"}) {
    EXPECT_EQ(refusal(fmt::format("name = '{}'\n{}", good, kSmallest)), "no error");
  }
  for (const std::string& bad :
       {std::string("../../y"), std::string("a/b"), std::string(".hidden"), std::string(".."),
        std::string("a b"), std::string("\u00e9"), std::string(101, 'x')}) {
    EXPECT_TRUE(
        refusal(fmt::format("name = '{}'\n{}", bad, kSmallest)).starts_with("r.toml: name: "))
        << bad;
    EXPECT_NE(refusal(kSmallest, {"name=" + bad}), "no error") << bad;
  }
}

TEST(Recipe, WithoutANameItIsCalledAfterItsFile) {
  recipe::Recipe recipe = recipe::parse_recipe(kSmallest, "r.toml");
  EXPECT_EQ(recipe::recipe_name(recipe, "there/logic.toml"), "logic");
  for (const char* file : {"there/my own \u00e9.toml", ".toml", "..x.toml"}) {
    EXPECT_TRUE(recipe::is_recipe_name(recipe::recipe_name(recipe, file))) << file;
  }
  recipe.name = "other";
  EXPECT_EQ(recipe::recipe_name(recipe, "there/logic.toml"), "other");
}

TEST(Recipe, OnlyARouterHasEasyFormulasFirst) {
  EXPECT_EQ(refusal(kSmallest + "[train.solver]\neasy_first = 0.5\n"),
            "r.toml: train.solver.easy_first: only a router can have it (leave it out)");
  const std::string router = "[router]\n[train.router]\neasy_first = 0.5\n";
  EXPECT_EQ(refusal(kSmallest + router), "no error");
  EXPECT_NE(refusal("[data]\nfolder = \"x\"\n" + router).find("which formulas are easy"),
            std::string::npos);
}

TEST(Recipe, WrongTypeNamesLine) {
  EXPECT_EQ(refusal(kSmallest + "[train.solver]\nsteps = \"many\"\n"),
            "r.toml:4: train.solver.steps must be a whole number");
  EXPECT_EQ(refusal(kSmallest + "[train.solver]\nsteps = 1.5\n"),
            "r.toml:4: train.solver.steps must be a whole number");
  EXPECT_EQ(refusal(kSmallest + "[train.solver]\nrate = nan\n"),
            "r.toml:4: train.solver.rate must be a number");
  EXPECT_EQ(refusal(kSmallest + "[selector.encoder]\ndilations = [1, true]\n"),
            "r.toml:4: selector.encoder.dilations must be a whole number");
  EXPECT_EQ(refusal(kSmallest + "[selector]\nencoder = 3\n"),
            "r.toml:4: selector.encoder must be a table");
  EXPECT_EQ(refusal(kSmallest + "[train.solver]\ndecay = \"cosin\"\n"),
            "r.toml:4: train.solver.decay must be one of \"flat\", \"linear\", \"cosine\"");
}

TEST(Recipe, OutOfRangeNamesLine) {
  EXPECT_EQ(refusal(kSmallest + "[train.solver]\nbatch = 0\n"),
            "r.toml:4: train.solver.batch is 0, but must be from 1 to 65536");
  EXPECT_EQ(refusal(kSmallest + "[train.solver]\nsteps = 5000000000\n"),
            "r.toml:4: train.solver.steps is 5000000000, which is too large");
  EXPECT_EQ(refusal(kSmallest + "[selector.encoder]\ndilations = [1, -2]\n"),
            "r.toml:4: selector.encoder.dilations is -2, but must be from 1 to 1048576");
}

TEST(Recipe, FaultyTomlNamesLine) {
  EXPECT_EQ(refusal(kSmallest + "[train\n").substr(0, 9), "r.toml:3:");
  EXPECT_EQ(refusal(kSmallest + "domains = []\n").substr(0, 9), "r.toml:3:");  // a key twice
}

TEST(Recipe, FieldsThatDoNotFit) {
  EXPECT_NE(refusal("").find("exactly one of domains, folder, traces and pairs"),
            std::string::npos);
  EXPECT_NE(refusal(kSmallest + "traces = \"a.jsonl\"\n").find("exactly one"), std::string::npos);
  EXPECT_NE(refusal(kSmallest + "[selector.encoder]\nlayers = 2\n").find("dilations"),
            std::string::npos);
}

TEST(Recipe, MissingFileIsUsage) {
  try {
    recipe::load_recipe("there/is/no/such.toml");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
  }
}

TEST(Recipe, KnowsItsArchitectureAndWhatItTrains) {
  const recipe::Recipe fast = recipe::parse_recipe(kSmallest, "r");
  EXPECT_EQ(fast.architecture(), "fastnrs");
  const recipe::Recipe writing =
      recipe::parse_recipe(kSmallest + "[selector]\nkind = 'last_leaf'\n", "r");
  EXPECT_EQ(writing.architecture(), "nrs");
  ASSERT_EQ(writing.trained().size(), 2u);
  EXPECT_EQ(writing.trained()[0].name, "selector");
  EXPECT_EQ(writing.trained()[1].name, "solver");
  EXPECT_EQ(writing.trained()[1].config, &writing.of<recipe::RewritingSections>().train.solver);
  EXPECT_THROW(fast.of<recipe::RouterSections>(), std::bad_variant_access);
}

TEST(Recipe, OverridesGoTheSameWay) {
  const std::vector<std::string> overrides{"train.solver.steps=7", "data.protocol=paper",
                                           "selector.encoder.dilations=[1,1,1,1,1,2]"};
  const recipe::Recipe recipe =
      recipe::parse_recipe(kSmallest + "[train.solver]\nsteps = 5\n", "r", overrides);
  EXPECT_EQ(recipe.of<recipe::RewritingSections>().train.solver.steps, 7);
  EXPECT_EQ(recipe.data.protocol, data::Protocol::kPaper);
  EXPECT_EQ(recipe.of<recipe::RewritingSections>().selector.encoder.dilations.back(), 2);
  EXPECT_EQ(refusal(kSmallest, {"train.solver.steps=x"}),
            "--set train.solver.steps=x: train.solver.steps must be a whole number");
  EXPECT_NE(refusal(kSmallest, {"train.solver.step=5"}).find("did you mean train.solver.steps?"),
            std::string::npos);
  EXPECT_NE(refusal(kSmallest, {"steps"}).find("key=value"), std::string::npos);
}

TEST(Recipe, WrittenAndReadAgainIsTheSame) {
  const recipe::Recipe recipe = recipe::parse_recipe(
      kSmallest + "[train.solver]\nrate = 9.23e-5\n[selector]\ntoken_rules = ['\"q\\', '[0-9]+']\n",
      "r");
  const recipe::Recipe again = recipe::parse_recipe(recipe::to_toml(recipe), "again");
  EXPECT_EQ(recipe::to_toml(again), recipe::to_toml(recipe));
  EXPECT_TRUE(recipe::differences(again, recipe).empty());
  recipe::Recipe other = recipe;
  other.of<recipe::RewritingSections>().train.solver.rate = 1;
  EXPECT_EQ(recipe::differences(other, recipe),
            std::vector<std::string>{"train.solver.rate: 1.0, was 9.23e-05"});
}

std::string architecture_by_name(const std::filesystem::path& recipe) {
  const std::string name = recipe.stem().string();
  return name.starts_with("nrs-") ? "nrs" : name.starts_with("ndr-") ? "ndr" : "fastnrs";
}

TEST(Recipe, EveryRecipeOfOursCanBeRead) {
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(NRS_RECIPES)) {
    if (entry.path().extension() != ".toml") continue;
    const recipe::Recipe recipe = recipe::load_recipe(entry.path());
    EXPECT_FALSE(recipe.name.empty()) << entry.path();
    for (const std::string& domain : recipe.data.domains) EXPECT_NO_THROW(find_domain(domain));
    EXPECT_EQ(recipe.architecture(), architecture_by_name(entry.path())) << entry.path();
    for (const recipe::TrainSection& module : recipe.trained()) EXPECT_GT(module.config->steps, 0);
    if (const auto* sections = std::get_if<recipe::RewritingSections>(&recipe.sections)) {
      EXPECT_NO_THROW(model::TokenRules(sections->selector.token_rules)) << entry.path();
    }
    ++count;
  }
  EXPECT_GE(count, 15);
}

// Section 4.4 of what is known of the authors' models: vocabularies, and numbers of parameters.
TEST(Recipe, ThePapersNrsSelectorsHaveThePapersParameters) {
  struct Published {
    const char* domain;
    int input;
    std::uint64_t parameters;
  };
  for (const Published& one :
       {Published{"logic", 34, 2'924'325}, Published{"listops", 16, 2'910'483},
        Published{"arithmetic", 106, 10'890'364 - 5'541'391}, Published{"algebra", 1216, 6'202'563},
        Published{"multi", 1350, 7'095'369}}) {
    const recipe::Recipe recipe = recipe::load_recipe(std::filesystem::path(NRS_RECIPES) / "paper" /
                                                      fmt::format("nrs-{}.toml", one.domain));
    ASSERT_EQ(recipe.architecture(), "nrs") << one.domain;
    const auto tensors = nn::selector_tensors(recipe.of<recipe::RewritingSections>().selector,
                                              one.input, one.input + 3);
    EXPECT_EQ(parameter_count(tensors), one.parameters) << one.domain;
  }
}

// A published number counts a matrix in each that no result depends on.
TEST(Recipe, ThePapersRoutersHaveThePapersParameters) {
  struct Published {
    const char* domain;
    int input, output;
    std::uint64_t parameters;
  };
  for (const Published& one :
       {Published{"logic", 34, 32, 1'007'667}, Published{"listops", 16, 14, 2'921'521},
        Published{"arithmetic", 106, 105, 4'055'676},
        Published{"algebra", 1206, 1217, 5'197'540}}) {
    const recipe::Recipe recipe = recipe::load_recipe(std::filesystem::path(NRS_RECIPES) / "paper" /
                                                      fmt::format("ndr-{}.toml", one.domain));
    ASSERT_EQ(recipe.architecture(), "ndr") << one.domain;
    const nn::RouterConfig& router = recipe.of<recipe::RouterSections>().router;
    const auto unused = static_cast<std::uint64_t>(router.dim * router.dim);
    EXPECT_EQ(parameter_count(nn::router_tensors(router, one.input, one.output)) + unused,
              one.parameters)
        << one.domain;
  }
}

TEST(Recipe, OfARouterHasNoOtherSections) {
  const std::string text = "[data]\ndomains = ['logic']\n[router]\ndim = 32\n";
  const recipe::Recipe recipe = recipe::parse_recipe(text, "r");
  EXPECT_EQ(recipe.of<recipe::RouterSections>().router.dim, 32);
  ASSERT_EQ(recipe.trained().size(), 1u);
  EXPECT_EQ(recipe.trained()[0].name, "router");
  EXPECT_EQ(recipe.trained()[0].config->steps, 20'000);
  EXPECT_EQ(recipe::to_toml(recipe).find("selector"), std::string::npos);
  EXPECT_EQ(recipe::to_toml(recipe::parse_recipe(recipe::to_toml(recipe), "again")),
            recipe::to_toml(recipe));
  EXPECT_THROW(recipe::parse_recipe(text + "[solver]\n", "r"), Error);
  EXPECT_THROW(recipe::parse_recipe(text + "[train.selector]\nsteps = 3\n", "r"), Error);
  const recipe::Recipe rewriter = recipe::parse_recipe("[data]\ndomains = ['logic']\n", "r");
  EXPECT_EQ(recipe::to_toml(rewriter).find("router"), std::string::npos);
  EXPECT_EQ(recipe::differences(recipe, rewriter),
            std::vector<std::string>{"architecture: ndr, was fastnrs"});
  EXPECT_EQ(recipe::differences(rewriter, recipe).size(), 1U);
}

TEST(Threshold, WindowsBeginWhereTheSelectorIsNoLongerSure) {
  std::vector<learn::LengthConfidence> formulas;
  for (std::size_t tokens = 1; tokens <= 400; ++tokens) {
    formulas.push_back({tokens, tokens <= 200 ? -0.01 : -1.0});
  }
  EXPECT_EQ(learn::calibrate_windows(formulas, {}), 201);
  EXPECT_EQ(learn::calibrate_windows(formulas, {.windows_from = 0}), 0);
  EXPECT_EQ(learn::calibrate_windows(formulas, {.windows_from = 125}), 125);
  EXPECT_EQ(learn::calibrate_windows(formulas, {.window_confidence = 0.1}), 0);
  EXPECT_EQ(learn::calibrate_windows({}, {}), 0);
}

TEST(WeightTree, FrequencyFollowsWeight) {
  check_law("observed counts are near what the weights say", [] {
    const auto raw = *rc::gen::container<std::vector<int>>(17, rc::gen::inRange(0, 100));
    std::vector<float> weights;
    double total = 0;
    for (const int weight : raw) {
      weights.push_back(static_cast<float>(weight) / 10);
      total += weights.back();
    }
    RC_PRE(total > 0);
    const learn::WeightTree tree(weights);
    Rng rng(1);
    constexpr int kDraws = 20'000;
    std::vector<int> counts(weights.size());
    for (int i = 0; i < kDraws; ++i) ++counts[tree.draw(rng)];
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double expected = kDraws * weights[i] / total;
      RC_ASSERT(std::abs(counts[i] - expected) <= 6 * std::sqrt(expected + 1));
      if (weights[i] == 0) RC_ASSERT(counts[i] == 0);
    }
  });
}

TEST(WeightTree, HistoryDoesNotMatter) {
  check_law("a tree set step by step draws like one built at once", [] {
    const auto steps = *rc::gen::container<std::vector<std::pair<std::size_t, float>>>(
        200, rc::gen::pair(rc::gen::inRange<std::size_t>(0, 50),
                           rc::gen::map(rc::gen::inRange(1, 2000),
                                        [](int n) { return static_cast<float>(n) * 1e-3f; })));
    learn::WeightTree changed(std::vector<float>(50, 1.0f));
    for (const auto& [item, weight] : steps) changed.set(item, weight);
    const learn::WeightTree fresh(changed.weights());
    Rng a(3);
    Rng b(3);
    for (int i = 0; i < 100; ++i) RC_ASSERT(changed.draw(a) == fresh.draw(b));
  });
}

TEST(WeightTree, RefusesWhatCannotBeDrawn) {
  EXPECT_THROW(learn::WeightTree(std::vector<float>{}), Error);
  EXPECT_THROW(learn::WeightTree(std::vector<float>{0, 0}), Error);
  EXPECT_THROW(learn::WeightTree(std::vector<float>{1, NAN}), Error);
  EXPECT_THROW(learn::WeightTree(std::vector<float>{1, -1}), Error);
}

learn::PairList some_pairs(int leaves, int finals) {
  learn::PairList pairs;
  for (int i = 0; i < leaves; ++i) pairs.add(fmt::format("({})", i), "x", 1 + i % 2);
  for (int i = 0; i < finals; ++i) pairs.add_final(std::to_string(i));
  return pairs;
}

TEST(LeafSampler, DrawsHardLeavesMoreOften) {
  const learn::PairList pairs = some_pairs(10, 2);
  const recipe::TrainConfig config{.batch = 32, .final_share = 0.25};
  learn::LeafSampler sampler(pairs, config);
  for (int i = 0; i < 20; ++i) {
    for (std::size_t leaf = 0; leaf < 10; ++leaf) {
      const std::size_t one[] = {leaf};
      const float loss[] = {leaf == 3 ? 100.0f : 0.0f};
      sampler.learn(one, loss);
    }
  }
  EXPECT_NEAR(sampler.state()[3], 2, 1e-3);     // no leaf takes over
  EXPECT_NEAR(sampler.state()[4], 0.03, 1e-3);  // none is forgotten
  EXPECT_EQ(sampler.hardest(1), std::vector<std::size_t>{3});
  Rng rng(1);
  int hard = 0;
  int finals = 0;
  for (int i = 0; i < 100; ++i) {
    for (const std::size_t pair : sampler.batch(1, rng)) {
      hard += pair == 3 ? 1 : 0;
      finals += pairs.omega(pair) ? 1 : 0;
    }
  }
  EXPECT_EQ(finals, 100 * 8);
  EXPECT_NEAR(hard / 2400.0, 2 / (2 + 9 * 0.03), 0.03);
}

TEST(LeafSampler, UniformGivesEveryGroupTheSame) {
  learn::PairList pairs;
  for (int i = 0; i < 90; ++i) pairs.add(fmt::format("a{}", i), "x", 1);
  for (int i = 0; i < 10; ++i) pairs.add(fmt::format("b{}", i), "x", 2);
  const recipe::TrainConfig config{.batch = 1000, .sampling = recipe::Sampling::kUniform};
  const learn::LeafSampler sampler(pairs, config);
  Rng rng(1);
  int second = 0;
  for (const std::size_t pair : sampler.batch(1, rng)) second += pairs.group(pair) == 2 ? 1 : 0;
  EXPECT_NEAR(second, 500, 80);
}

TEST(LeafSampler, ALargeGroupDoesNotDrownASmallOne) {
  learn::PairList pairs;
  for (int i = 0; i < 160'000; ++i) pairs.add(fmt::format("a{}", i), "x", 1);
  for (int i = 0; i < 10'000; ++i) pairs.add(fmt::format("b{}", i), "x", 2);
  const learn::LeafSampler sampler(pairs, {.batch = 5000});
  Rng rng(1);
  int second = 0;
  for (const std::size_t pair : sampler.batch(1, rng)) second += pairs.group(pair) == 2 ? 1 : 0;
  EXPECT_NEAR(second, 1000, 150);  // 10,000 beside 160,000 that count as 40,000
}

TEST(LeafSampler, SmallGroupsCanBeBalanced) {
  learn::PairList pairs;
  for (int i = 0; i < 900; ++i) pairs.add(fmt::format("a{}", i), "x", 1);
  for (int i = 0; i < 9; ++i) pairs.add(fmt::format("b{}", i), "x", 2);
  pairs.add_final("x");
  for (const auto& [balance, share] : {std::pair{0.0, 0.0099}, {0.5, 0.0909}, {1.0, 0.5}}) {
    learn::LeafSampler sampler(pairs, {.batch = 10'000, .balance = balance, .final_share = 0});
    const std::vector<float> loss(1, 0.7f);
    for (std::size_t pair = 0; pair < pairs.size(); ++pair) sampler.learn({&pair, 1}, loss);
    Rng rng(1);
    int second = 0;
    for (const std::size_t pair : sampler.batch(1, rng)) second += pairs.group(pair) == 2 ? 1 : 0;
    EXPECT_NEAR(second / 10'000.0, share, 0.02) << balance;
    EXPECT_EQ(sampler.state().back(), 0);
  }
}

TEST(LeafSampler, OnlyLeavesOrOnlyFinals) {
  const recipe::TrainConfig config{.batch = 8, .final_share = 0.5};
  Rng rng(1);
  EXPECT_EQ(learn::LeafSampler(some_pairs(3, 0), config).batch(1, rng).size(), 8u);
  EXPECT_EQ(learn::LeafSampler(some_pairs(0, 3), config).batch(1, rng).size(), 8u);
  EXPECT_THROW(learn::LeafSampler(some_pairs(0, 0), config), Error);
}

TEST(HardDraws, TheWorstComeAgainAndTheLearnedStay) {
  const recipe::TrainConfig config{.batch = 64};
  learn::HardDraws hard(config);
  Rng rng(1);
  EXPECT_TRUE(hard.draw(rng).empty());
  std::vector<std::size_t> draws;
  for (std::size_t i = 0; i < 3000; ++i) draws.push_back((std::size_t{1} << 30) + i);
  std::vector<float> losses(draws.size(), 0.0f);
  losses[2900] = 5;
  hard.learn(draws, losses);
  int worst = 0;
  for (int i = 0; i < 100; ++i) {
    const auto again = hard.draw(rng);
    ASSERT_EQ(again.size(), 16u);
    worst += static_cast<int>(std::count(again.begin(), again.end(), draws[2900]));
  }
  // One draw of weight 2 among 511 of the least weight, .03.
  EXPECT_NEAR(worst / 1600.0, 2 / (2 + 511 * 0.03), 0.03);

  for (int i = 0; i < 20; ++i) hard.learn(std::span(draws).subspan(2900, 1), std::vector{0.0f});
  learn::HardDraws restored(config);
  restored.restore(hard.state());
  EXPECT_EQ(restored.state(), hard.state());
  Rng one(7);
  Rng other(7);
  const auto drawn = restored.draw(one);
  EXPECT_EQ(drawn, hard.draw(other));
  EXPECT_LE(std::count(drawn.begin(), drawn.end(), draws[2900]), 1);
}

TEST(HardDraws, ABatchIsFilledWithNewOnes) {
  learn::HardDraws hard({.batch = 8});
  Rng rng(1);
  EXPECT_EQ(hard.batch(3, rng), (std::vector<std::size_t>{24, 25, 26, 27, 28, 29, 30, 31}));
  hard.learn(std::vector<std::size_t>{5}, std::vector{1.0f});
  EXPECT_EQ(hard.batch(4, rng), (std::vector<std::size_t>{5, 5, 34, 35, 36, 37, 38, 39}));
}

TEST(HardDraws, UniformSamplingBringsNothingBack) {
  learn::HardDraws hard({.sampling = recipe::Sampling::kUniform});
  hard.learn(std::vector<std::size_t>{1}, std::vector{3.0f});
  Rng rng(1);
  EXPECT_TRUE(hard.draw(rng).empty());
}

TEST(Threshold, LowQuantileWithMargin) {
  const recipe::ThresholdConfig config{.quantile = 0.01, .margin = 2, .strictest = -0.1};
  std::vector<double> scores;
  for (int i = 0; i <= 100; ++i) scores.push_back(-0.01 * i);
  const std::vector<double> sure = {-1e-6, -1e-7};
  EXPECT_DOUBLE_EQ(learn::calibrate_threshold({.seen = scores, .unseen = {}}, config), 2 * -0.99);
  EXPECT_DOUBLE_EQ(
      learn::calibrate_threshold({.seen = scores, .unseen = {}, .complete = true}, config),
      2 * -1.0);
  // Leaves that were kept from it count instead of the others.
  EXPECT_DOUBLE_EQ(learn::calibrate_threshold({.seen = sure, .unseen = scores}, config), 2 * -0.99);
  EXPECT_DOUBLE_EQ(learn::calibrate_threshold({.seen = sure, .unseen = {}}, config), -0.1);
  EXPECT_DOUBLE_EQ(learn::calibrate_threshold({}, config), config.fixed);
  EXPECT_DOUBLE_EQ(
      learn::calibrate_threshold({.seen = scores, .unseen = {}}, {.calibrate = false, .fixed = -6}),
      -6);
}

TEST(DomainSource, PaperHoldsLeavesBackAndFullDoesNot) {
  const recipe::DataConfig full{.domains = {"logic"}};
  const learn::SolverPairs all = learn::make_source(full, 1)->pairs(1);
  EXPECT_EQ(all.train.size(), 270u + 28u);
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(all.valid.size() + all.unseen.size(), 0u);
  const recipe::DataConfig paper{.domains = {"logic"}, .protocol = data::Protocol::kPaper};
  const auto source = learn::make_source(paper, 1);
  const learn::SolverPairs part = source->pairs(1);
  EXPECT_EQ(part.train.size(), 155u);
  EXPECT_EQ(part.unseen.size(), 166u + 28u - 155u);
  EXPECT_GT(part.valid.size(), 0u);
  for (std::size_t i = 0; i < part.train.size(); ++i) {
    for (std::size_t k = 0; k < part.valid.size(); ++k) {
      ASSERT_NE(part.train.text(i), part.valid.text(k));
    }
  }
}

class FolderTest : public ::testing::Test {
 protected:
  FolderTest() {
    write("selector/train.csv",
          kHead + "((T&F)|F),,,1-6:F,2,2,no,logic,1\nT,,,0-1:$,0,2,no,logic,1\n");
  }
  ~FolderTest() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }

  const std::string kHead = "X,Y,last_leaf,steps,nesting,num_operands,extra,domain,weight\n";
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / fmt::format("nrs-folder-{}", ::getpid());
};

TEST_F(FolderTest, GivesTheExamplesOfADataSet) {
  write("selector/valid_id.csv", kHead + "(T&F),,,0-5:F,1,2,no,logic,1\n");
  write("selector/valid_ood.csv", kHead);
  write("solver/train.csv",
        "X,Y,nesting,num_operands,extra,domain\n(T&F),F,1,2,no,logic\nT,$,0,2,no,logic\n");
  const auto source = learn::make_folder_source(folder_);
  std::set<std::string> drawn;
  Rng rng(1);
  for (int i = 0; i < 50; ++i) {
    const data::RewriteExample example = source->draw(rng, 1);
    EXPECT_EQ(example, data::make_example(find_domain("logic"), example.formula));
    drawn.insert(example.formula);
  }
  EXPECT_EQ(drawn, (std::set<std::string>{"((T&F)|F)", "T"}));
  EXPECT_EQ(source->validation(3, 1).in_distribution.size(), 1u);
  const learn::SolverPairs pairs = source->pairs(1);
  EXPECT_EQ(pairs.train.size(), 2u);
  EXPECT_NE(pairs.train.omega(0), pairs.train.omega(1));
}

TEST_F(FolderTest, NamesTheLineOfAFault) {
  for (const std::string steps : {"1-60:F", "6-1:F", "x-6:F", "1-6", "1-6:F 2-3:T"}) {
    write("selector/train.csv", kHead + "((T&F)|F),,," + steps + ",2,2,no,logic,1\n");
    try {
      learn::make_folder_source(folder_);
      ADD_FAILURE() << steps;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      EXPECT_NE(std::string(error.what()).find("train.csv:2"), std::string::npos) << error.what();
    }
  }
}

TEST(DomainSource, SameSeedSameExamples) {
  const auto source =
      learn::make_source({.domains = {"logic", "listops", "arithmetic", "algebra"}}, 1);
  Rng a(5);
  Rng b(5);
  for (int i = 0; i < 200; ++i) EXPECT_EQ(source->draw(a, 1), source->draw(b, 1));
  EXPECT_EQ(source->validation(2, 9).out_of_distribution,
            source->validation(2, 9).out_of_distribution);
  EXPECT_NE(source->validation(2, 9).out_of_distribution,
            source->validation(2, 8).out_of_distribution);
}

data::RewriteExample sum(int a, int b) {
  const std::string leaf = fmt::format("({}+{})", a, b);
  return {.formula = leaf, .steps = {{{0, leaf.size()}, std::to_string(a + b)}}, .final = false};
}

TEST(ListSource, HoldsBackByTextAndFindsContradictions) {
  std::vector<data::RewriteExample> examples;
  for (int a = 0; a < 30; ++a) {
    for (int b = 0; b < 30; ++b) examples.push_back(sum(a, b));
    examples.push_back({.formula = std::to_string(a), .steps = {}, .final = true});
  }
  const recipe::DataConfig config{.protocol = data::Protocol::kPaper, .held_out = 0.2};
  const auto source = learn::make_list_source(examples, config);
  const learn::SolverPairs pairs = source->pairs(1);
  EXPECT_EQ(pairs.train.size() + pairs.valid.size(), examples.size());
  EXPECT_NEAR(static_cast<double>(pairs.valid.size()), 0.2 * 930, 60);
  model::VocabularyBuilder characters{model::TokenRules()};
  source->add_characters(characters);
  const std::vector<std::string> tokens = characters.build(model::Specials::kInput).tokens();
  EXPECT_EQ(fmt::format("{}", fmt::join(tokens, "")), "()+0123456789");
  examples.push_back(sum(1, 1));
  examples.back().steps[0].value = "3";
  const auto wrong = learn::make_list_source(examples, config);
  EXPECT_THROW(wrong->pairs(1), Error);
}

// Formulas of 1 to 3 sums, and the numbers that they can become.
std::vector<data::RewriteExample> nested_sums() {
  std::vector<data::RewriteExample> examples;
  for (int a = 0; a < 10; ++a) {
    examples.push_back({.formula = std::to_string(a), .steps = {}, .final = true});
    for (int b = 0; b < 10; ++b) {
      data::RewriteExample example = sum(a, b);
      for (int depth = 1; depth <= 3; ++depth) {
        examples.push_back(example);
        example.formula = "(" + example.formula + "+1)";
        ++example.steps[0].leaf.begin;
        ++example.steps[0].leaf.end;
      }
    }
  }
  return examples;
}

TEST(ListSource, MeasuresFormulasThatAreNeverDrawn) {
  const std::vector<data::RewriteExample> examples = nested_sums();
  for (const data::Protocol protocol : {data::Protocol::kFull, data::Protocol::kPaper}) {
    const auto source = learn::make_list_source(
        examples, {.protocol = protocol, .held_out = 0.1, .valid_formulas = 20});
    std::set<std::string> drawn;
    Rng rng(1);
    std::size_t longest = 0;
    for (int i = 0; i < 20'000; ++i) {
      const std::string formula = source->draw(rng, 1).formula;
      drawn.insert(formula);
      longest = std::max(longest, formula.size());
    }
    const auto validation = source->validation(20, 3);
    // Of 300 formulas that are not final.
    const std::size_t count = protocol == data::Protocol::kFull ? 20 : 30;
    EXPECT_EQ(validation.in_distribution.size(), count);
    EXPECT_EQ(validation.out_of_distribution.size(), count);
    EXPECT_EQ(drawn.size(), examples.size() - 2 * count);  // all others, with all final ones
    EXPECT_NE(validation.in_distribution, validation.out_of_distribution);
    for (const data::RewriteExample& example : validation.in_distribution) {
      EXPECT_FALSE(drawn.contains(example.formula));
      EXPECT_FALSE(example.final);
    }
    for (const data::RewriteExample& example : validation.out_of_distribution) {
      EXPECT_FALSE(drawn.contains(example.formula));
      EXPECT_GE(example.formula.size(), longest);
    }
  }
}

TEST(ListSource, RefusesToMeasureNothing) {
  EXPECT_THROW(
      learn::make_list_source({sum(1, 2), sum(2, 2), {.formula = "3", .steps = {}, .final = true}},
                              recipe::DataConfig{}),
      Error);
  const auto least = learn::make_list_source({sum(1, 2), sum(2, 2), sum(20, 20)}, {.held_out = 0});
  EXPECT_EQ(least->validation(5, 1).in_distribution.size(), 1u);
  EXPECT_EQ(least->validation(5, 1).out_of_distribution.front().formula, "(20+20)");
}

// What is said of examples, with the warnings.
template <class Check>
std::string verdict(const Check& check) {
  try {
    check();
  } catch (const Error& error) {
    return error.line();
  }
  return "fine";
}

TEST(CheckExamples, FindsWhatCannotBeLearnt) {
  std::vector<data::RewriteExample> examples{sum(10, 20), sum(1, 2)};
  EXPECT_NE(verdict([&] { learn::check_final_examples(examples); }).find("no example is final"),
            std::string::npos);
  examples.push_back({.formula = "1234567", .steps = {}, .final = true});
  EXPECT_EQ(verdict([&] { learn::check_final_examples(examples); }), "fine");

  nn::SelectorConfig selector;
  std::string warned;
  const auto warn = [&](const std::string& text) { warned += text; };
  const auto sees = [&](const std::vector<int>& dilations) {
    selector.encoder.layers = static_cast<int>(dilations.size());
    selector.encoder.dilations = dilations;
    return verdict([&] { learn::check_examples(selector, examples, warn); });
  };
  EXPECT_EQ(sees({1, 2, 3}), "fine");  // seven characters: each end sees the other
  EXPECT_EQ(sees({1, 2, 2}),
            "the longest leaf, '(10+20)', has 7 tokens, but the Selector finds none longer than 6 "
            "(the sum of selector.encoder.dilations must be at least 7)");
  EXPECT_EQ(warned, "");
  examples.back().formula += "8";
  EXPECT_EQ(sees({1, 2, 3}), "fine");
  EXPECT_NE(warned.find("'12345678', has 8 tokens"), std::string::npos) << warned;

  nn::SolverConfig solver;
  EXPECT_EQ(verdict([&] { learn::check_examples(solver, examples); }), "fine");
  solver.encoder.max_positions = 7;
  EXPECT_NE(verdict([&] {
              learn::check_examples(solver, examples);
            }).find("set solver.encoder.max_positions to 8"),
            std::string::npos);
  solver.encoder.max_positions = 8;
  solver.decoder.max_length = 2;
  EXPECT_NE(verdict([&] {
              learn::check_examples(solver, examples);
            }).find("set solver.decoder.max_length to 3"),
            std::string::npos);
}

}  // namespace
}  // namespace nrs
