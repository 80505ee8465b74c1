// Questions with answers: their file, what is kept for validation, and the recipe for them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "data/pair_file.h"
#include "learn/examples/example_source.h"
#include "learn/train/solver_recipe.h"
#include "learn/train/thresholds.h"
#include "nrs/error.h"

namespace nrs::learn {
namespace {

using data::read_pair_file;
using data::TaughtPair;
using data::write_pair_file;
using recipe::Recipe;
using recipe::RewritingSections;
using recipe::ThresholdConfig;

class PairFile : public ::testing::Test {
 protected:
  PairFile()
      : path_(std::filesystem::temp_directory_path() /
              ("nrs-pairs-" + std::to_string(::getpid()) + ".jsonl")) {}
  ~PairFile() override { std::filesystem::remove(path_); }

  std::string refusal(const std::string& text) const {
    std::ofstream(path_) << text;
    try {
      read_pair_file(path_);
    } catch (const Error& error) {
      return error.line();
    }
    return "";
  }

  std::filesystem::path path_;
};

std::vector<TaughtPair> additions(int below) {
  std::vector<TaughtPair> pairs;
  for (int a = 0; a < below; ++a) {
    for (int b = 0; b < below; ++b) {
      pairs.push_back({std::to_string(a) + "+" + std::to_string(b), std::to_string(a + b)});
    }
  }
  return pairs;
}

TEST_F(PairFile, ReadsWhatItWrote) {
  const std::vector<TaughtPair> pairs{{"1+2", "3", 7}, {"\"ä\t", "x"}, {"3", std::nullopt, 2}};
  write_pair_file(path_, pairs);
  EXPECT_EQ(read_pair_file(path_), pairs);
}

TEST_F(PairFile, RefusesBadLinesWithTheirNumber) {
  const std::string good = "{\"text\": \"1\", \"value\": \"2\"}\n";
  EXPECT_EQ(refusal(good), "");
  for (const std::string bad :
       {"[]", "{", "{\"text\": \"1\"}", "{\"text\": \"\", \"value\": \"2\"}",
        "{\"text\": \"a\", \"value\": \"\"}", "{\"text\": \"a\", \"value\": 1}",
        "{\"text\": \"a\", \"value\": [[1]]}", "{\"text\": \"1\", \"value\": \"2\"}",
        "{\"text\": \"a\", \"value\": \"b\", \"times\": 0}",
        "{\"text\": \"a\", \"value\": \"b\", \"more\": 1}"}) {
    EXPECT_NE(refusal(good + bad + "\n").find(".jsonl:2: "), std::string::npos) << bad;
  }
}

TEST(SplitPairs, KeepsAPartBackAndNeverAFinalText) {
  std::vector<TaughtPair> taught = additions(30);
  for (int i = 0; i < 60; ++i) taught.push_back({std::to_string(i), std::nullopt, 4});
  const SolverPairs pairs = split_pairs(taught, 0.1, 1);
  EXPECT_EQ(pairs.train.size() + pairs.valid.size(), taught.size());
  EXPECT_NEAR(static_cast<double>(pairs.valid.size()), 90, 40);
  for (std::size_t i = 0; i < pairs.valid.size(); ++i) EXPECT_FALSE(pairs.valid.omega(i));
  std::size_t finals = 0;
  for (std::size_t i = 0; i < pairs.train.size(); ++i) {
    if (!pairs.train.omega(i)) continue;
    ++finals;
    EXPECT_EQ(pairs.times(i), 4u);
  }
  EXPECT_EQ(finals, 60u);
}

TEST(SolverRecipe, HasRoomForThePairsAndKeepsToTheTime) {
  std::vector<TaughtPair> pairs = additions(40);
  pairs.push_back({std::string(90, '1'), std::string(40, '2')});
  const Recipe recipe = solver_recipe(pairs, {.pairs = "p.jsonl", .minutes = 1, .seed = 3});
  const RewritingSections& sections = recipe.of<RewritingSections>();
  EXPECT_GE(sections.solver.encoder.max_positions, 90);
  EXPECT_GT(sections.solver.decoder.max_length, 40);
  EXPECT_EQ(recipe.seed, 3);
  EXPECT_GT(recipe.data.held_out, 0);
  // What is written can be read: the fields are within their ranges.
  EXPECT_TRUE(differences(nrs::recipe::parse_recipe(to_toml(recipe), "recipe"), recipe).empty());
  const auto steps = [&](double minutes) {
    return solver_recipe(pairs, {.pairs = "p.jsonl", .minutes = minutes})
        .of<RewritingSections>()
        .train.solver.steps;
  };
  EXPECT_LT(steps(0.1), steps(1));
  EXPECT_EQ(steps(1000), steps(2000));  // no more than the pairs need
}

TEST(Threshold, RisesUntilFewValuesAboveItAreWrong) {
  ThresholdConfig config{.quantile = 0, .margin = 1, .strictest = 0};
  RightAnswers answers{.seen = {}, .unseen = {}};
  for (int i = 1; i <= 100; ++i) answers.unseen.push_back(-0.01 * i);
  answers.wrong = {-0.555, -0.755, -0.955};
  EXPECT_DOUBLE_EQ(calibrate_threshold(answers, config), -1);
  config.most_wrong = 0.02;  // of 77 values above -0.755 two are wrong
  const double threshold = calibrate_threshold(answers, config);
  EXPECT_GT(threshold, -0.755);
  EXPECT_LT(threshold, -0.555);
  config.most_wrong = 0;
  EXPECT_GT(calibrate_threshold(answers, config), -0.555);
  EXPECT_LT(calibrate_threshold(answers, config), -0.55);
}

}  // namespace
}  // namespace nrs::learn
