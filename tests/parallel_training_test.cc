// Training on several threads: the workers, the parts of a batch, and that threads change nothing.
#include <gtest/gtest.h>
#include <torch/autograd.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "learn/examples/batches.h"
#include "learn/examples/example_source.h"
#include "learn/train/trainer.h"
#include "learn/train/training_task.h"
#include "learn/train/workers.h"
#include "model/model_file.h"
#include "property.h"
#include "tiny_run.h"

namespace nrs::learn {
namespace {

TEST(Workers, DoEveryPieceOnceAndAgain) {
  for (const int threads : {1, 2, 5}) {
    Workers workers(threads);
    for (const std::size_t count : {0, 1, 3, 200}) {
      std::vector<std::atomic<int>> done(count);
      workers.run(count, [&](std::size_t i) { ++done[i]; });
      for (const auto& times : done) EXPECT_EQ(times, 1);
    }
  }
}

TEST(Workers, ThrowTheFirstFailureAndStayUsable) {
  Workers workers(3);
  const auto fail = [](std::size_t i) {
    if (i % 4 == 3) throw std::runtime_error(std::to_string(i));
  };
  try {
    workers.run(100, fail);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "3");
  }
  std::atomic<int> sum = 0;
  workers.run(5, [&](std::size_t i) { sum += static_cast<int>(i); });
  EXPECT_EQ(sum, 10);
}

TEST(Workers, TakeOverWhetherGradientsAreWanted) {
  Workers workers(3);
  for (const bool wanted : {false, true}) {
    const at::AutoGradMode mode(wanted);
    workers.run(50, [&](std::size_t) { EXPECT_EQ(at::GradMode::is_enabled(), wanted); });
  }
}

TEST(Workers, StopWhenToldTo) {
  Workers workers(2);
  std::atomic<int> done = 0;
  EXPECT_THROW(workers.run_unless(stop_at(2), 1000, [&](std::size_t) { ++done; }), Stopped);
  EXPECT_GT(done, 0);
  EXPECT_LT(done, 1000);
  done = 0;
  EXPECT_NO_THROW(workers.run_unless([] { return false; }, 100, [&](std::size_t) { ++done; }));
  EXPECT_EQ(done, 100);
}

nn::TokenRows random_rows(const std::vector<int>& lengths, std::int32_t& id) {
  nn::TokenRows rows;
  for (const int length : lengths) {
    std::vector<std::int32_t> row(static_cast<std::size_t>(length));
    for (auto& token : row) token = id++;
    rows.add(row);
    rows.add_places(row);
    rows.seeds.push_back(static_cast<std::uint64_t>(id));
  }
  return rows;
}

template <class Value>
void append(std::vector<Value>& to, const std::vector<Value>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

TEST(Split, PartsPutTogetherAreTheBatch) {
  check_law("parts are the batch", [] {
    const auto lengths = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 9));
    const int parts = *rc::gen::inRange(1, 6);
    std::int32_t id = 0;
    Batch batch;
    batch.read = random_rows(lengths, id);
    batch.written = random_rows(lengths, id);
    batch.answers = batch.written.packing;
    batch.targets = batch.written.ids;
    Batch joined;
    const auto split = learn::split(batch, parts);
    RC_ASSERT(split.size() == static_cast<std::size_t>(parts));
    for (const Batch& part : split) {
      RC_ASSERT(part.read.first_token == joined.read.packing.tokens());
      RC_ASSERT(part.written.first_token == joined.written.packing.tokens());
      for (std::int64_t row = 0; row < part.read.packing.rows(); ++row) {
        joined.read.packing.add(static_cast<std::size_t>(part.read.packing.length(row)));
        joined.written.packing.add(static_cast<std::size_t>(part.written.packing.length(row)));
      }
      append(joined.read.ids, part.read.ids);
      append(joined.read.places, part.read.places);
      append(joined.read.seeds, part.read.seeds);
      append(joined.written.ids, part.written.ids);
      append(joined.targets, part.targets);
      // No part is larger than its share by more than a row.
      RC_ASSERT(part.read.packing.tokens() <= batch.read.packing.tokens() / parts + 9);
    }
    RC_ASSERT(joined.read.packing.offsets() == batch.read.packing.offsets());
    RC_ASSERT(joined.read.ids == batch.read.ids);
    RC_ASSERT(joined.read.places == batch.read.places);
    RC_ASSERT(joined.read.seeds == batch.read.seeds);
    RC_ASSERT(joined.written.ids == batch.written.ids);
    RC_ASSERT(joined.targets == batch.targets);
  });
}

recipe::Recipe tiny_router_recipe() {
  return recipe::parse_recipe(R"(
    threads = 1
    [data]
    domains = ["logic"]
    valid_formulas = 1
    [router]
    dim = 16
    heads = 2
    layers = 2
    dropout = 0.1
    [train.router]
    batch = 8
    warmup = 2
    sampling = "loss"
  )",
                              "tiny.toml");
}

// Every module that can be trained.
class AllTasks : public testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<TrainingTask> make(const recipe::Recipe& recipe) const {
    if (std::string(GetParam()) == "solver") {
      return solver_task(recipe, source_->pairs(1));
    }
    if (std::string(GetParam()) == "writer") {
      return leaf_writer_task(writing(recipe), *source_);
    }
    if (std::string(GetParam()) == "router") {
      return router_task(recipe, *values_);
    }
    return selector_task(recipe, *source_);
  }
  recipe::Recipe recipe() const {
    return std::string(GetParam()) == "router" ? tiny_router_recipe() : tiny_recipe();
  }
  const recipe::TrainConfig& config_of(const recipe::Recipe& recipe) const {
    const std::vector<recipe::TrainSection> trained = recipe.trained();
    return *(std::string(GetParam()) == "solver" ? trained.back() : trained.front()).config;
  }

 private:
  static recipe::Recipe writing(recipe::Recipe recipe) {
    recipe.of<recipe::RewritingSections>().selector.kind = nn::SelectorKind::kLastLeaf;
    return recipe;
  }

  std::unique_ptr<ExampleSource> source_ = make_source({.domains = {"logic"}});
  std::unique_ptr<SolvedSource> values_ = make_solved_source(tiny_router_recipe().data);
};
INSTANTIATE_TEST_SUITE_P(Modules, AllTasks,
                         testing::Values("selector", "solver", "writer", "router"),
                         [](const auto& test) { return std::string(test.param); });

struct LossAndGradient {
  double loss = 0;
  torch::Tensor gradient;  // [N]
};
LossAndGradient differentiate(TrainingTask& task) {
  LossAndGradient sum;
  task.draw(3);
  for (int part = 0; part < task.parts(); ++part) {
    const torch::Tensor loss = task.loss(part);
    if (!loss.defined()) continue;
    sum.loss += loss.item<double>();
    std::vector<torch::Tensor> flat;
    for (const auto& one : torch::autograd::grad({loss}, task.module().parameters())) {
      flat.push_back(one.reshape({-1}));
    }
    const torch::Tensor gradient = torch::cat(flat);
    sum.gradient = sum.gradient.defined() ? sum.gradient + gradient : gradient;
  }
  return sum;
}

// Dropout and jitter included: what is drawn does not depend on the parts either.
TEST_P(AllTasks, PartsAddUpToTheGradientOfTheWholeBatch) {
  recipe::Recipe recipe = this->recipe();
  recipe.parts = 1;
  const LossAndGradient whole = differentiate(*make(recipe));
  for (const int parts : {2, 3, 40}) {
    recipe.parts = parts;
    const LossAndGradient sum = differentiate(*make(recipe));
    EXPECT_NEAR(sum.loss, whole.loss, 1e-5);
    EXPECT_LT((sum.gradient - whole.gradient).norm().item<double>(),
              1e-5 * whole.gradient.norm().item<double>())
        << parts;
  }
}

struct Trained {
  std::vector<float> weights;
  std::vector<double> scores;
};
Trained train_with(TrainingTask& task, const recipe::TrainConfig& config, int threads) {
  Workers workers(threads);
  Trainer trainer(task, config, workers);
  Trained trained;
  trainer.run({.on_validation = [&trained](const TrainingProgress& progress) {
    trained.scores.push_back(progress.in_distribution);
    trained.scores.push_back(progress.out_of_distribution);
  }});
  const torch::Tensor weights = trainer.optimiser().state().weights.contiguous();
  trained.weights.assign(weights.data_ptr<float>(), weights.data_ptr<float>() + weights.numel());
  return trained;
}

TEST_P(AllTasks, ThreadsChangeNoBit) {
  for (const int parts : {2, 3}) {
    recipe::Recipe recipe = this->recipe();
    recipe.parts = parts;
    recipe.data.valid_formulas = 20;
    recipe::TrainConfig config = config_of(recipe);
    config.steps = 20;
    config.validate_every = 5;
    const Trained one = train_with(*make(recipe), config, 1);
    EXPECT_EQ(one.scores.size(), 8U);
    for (const int threads : {2, 4}) {
      const Trained several = train_with(*make(recipe), config, threads);
      EXPECT_EQ(several.weights, one.weights) << parts << " parts, " << threads << " threads";
      EXPECT_EQ(several.scores, one.scores);
    }
  }
}

using ThreadedRun = TinyRun;

TEST_F(ThreadedRun, ResumesBitForBitAlsoWithAnotherNumberOfThreads) {
  ASSERT_EQ(train(request("whole"), {}), RunEnd::kDone);
  TrainRequest two = request("a");
  two.recipe.threads = 2;
  ASSERT_EQ(train(two, {.stop = stop_at(4)}), RunEnd::kInterrupted);
  two.resume = true;
  ASSERT_EQ(train(two, {.stop = stop_at(7)}), RunEnd::kInterrupted);
  ASSERT_EQ(train(request("a", true), {}), RunEnd::kDone);
  EXPECT_EQ(bytes("a"), bytes("whole"));
}

}  // namespace
}  // namespace nrs::learn
