// The training loop: resuming, stopping, failing, and learning a small rewriting system whole.
#include <gtest/gtest.h>
#include <torch/autograd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "learn/examples/batches.h"
#include "learn/examples/example_source.h"
#include "learn/nets/nets.h"
#include "learn/train/train.h"
#include "learn/train/trainer.h"
#include "learn/train/training_task.h"
#include "model/model_file.h"
#include "model/networks.h"
#include "nrs/error.h"
#include "tiny_run.h"

namespace nrs::learn {
namespace {

namespace fs = std::filesystem;

// A parameter that is pulled to a place that depends on the step, and scores that we choose.
class ToyTask : public TrainingTask {
 public:
  struct Net : torch::nn::Module {
    Net() {
      near = register_parameter("near", torch::zeros({3}));
      far = register_parameter("far", torch::ones({2}));
    }
    torch::Tensor near, far;
  };

  std::string_view name() const override { return "toy"; }
  torch::nn::Module& module() override { return net; }
  void draw(int number) override { step = number; }
  torch::Tensor loss(int) override {
    const double target = std::sin(step) + sampler;
    torch::Tensor sum = (net.near - target).square().sum() + (net.far * net.near.sum()).sum();
    if (step == nan_loss_at) sum = sum * std::numeric_limits<double>::quiet_NaN();
    // A root is 0 at 0, but its slope is infinite.
    if (step == nan_gradient_at) sum = sum + (net.far - net.far.detach()).sqrt().sum();
    return sum;
  }
  void after_step() override { sampler = 0.5f * sampler + 0.1f; }
  Score validate(Workers&, const std::function<bool()>& stop) override {
    if (stop()) throw Stopped();
    ++validations;
    if (worse_and_worse)
      return Score{.out_of_distribution = 1.0 / validations, .in_distribution = 1};
    const double score = 1 / (1 + std::abs(net.near.sum().item<double>()));
    return perfect ? Score{1, 1} : Score{score, score};
  }
  std::vector<float> sampler_state() const override { return {sampler}; }
  void restore_sampler(const std::vector<float>& state) override { sampler = state.at(0); }
  void export_to(model::Model&, const Results&) const override {}

  Net net;
  int step = 0;
  float sampler = 0;
  bool perfect = false;
  bool worse_and_worse = false;
  int nan_loss_at = 0;
  int nan_gradient_at = 0;
  int validations = 0;
};

Workers& one_worker() {
  static Workers workers(1);
  return workers;
}

recipe::TrainConfig toy_config() {
  return {
      .steps = 20, .rate = 0.1, .warmup = 3, .average = 0.9, .validate_every = 4, .patience = 3};
}

std::vector<float> floats(const torch::Tensor& tensor) {
  const torch::Tensor flat = tensor.detach().contiguous();
  return {flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel()};
}

TEST(Schedule, WarmsUpStaysFlatAndFalls) {
  const recipe::TrainConfig config{.steps = 1000, .warmup = 100, .decay_share = 0.3};
  EXPECT_DOUBLE_EQ(rate_factor(config, 50), 0.5);
  EXPECT_DOUBLE_EQ(rate_factor(config, 100), 1);
  EXPECT_DOUBLE_EQ(rate_factor(config, 700), 1);
  EXPECT_NEAR(rate_factor(config, 850), 0.5, 1e-12);
  EXPECT_NEAR(rate_factor(config, 1000), 0, 1e-12);
}

TEST(Schedule, PaperCosineFallsFromTheEndOfWarmUp) {
  const recipe::TrainConfig config{.steps = 5000,
                                   .warmup = 1000,
                                   .warmup_from = 0.3,
                                   .decay = recipe::Decay::kCosine,
                                   .decay_steps = 5000,
                                   .final_rate = 0.3};
  EXPECT_NEAR(rate_factor(config, 500), 0.65, 1e-12);
  EXPECT_NEAR(rate_factor(config, 1000), 1, 1e-12);
  EXPECT_NEAR(rate_factor(config, 3500), 0.65, 1e-12);
  EXPECT_GT(rate_factor(config, 5000), 0.3);
}

TEST(Trainer, ResumedRunEqualsUninterruptedOne) {
  ToyTask whole;
  Trainer reference(whole, toy_config(), one_worker());
  ASSERT_EQ(reference.run({}), TrainEnd::kDone);
  for (int n = 1; n <= 40; ++n) {
    ToyTask first;
    Trainer stopped(first, toy_config(), one_worker());
    const TrainEnd end = stopped.run({.stop = stop_at(n)});
    if (end != TrainEnd::kInterrupted) break;
    ToyTask second;
    second.restore_sampler(first.sampler_state());
    Trainer resumed(second, toy_config(), one_worker());
    resumed.restore(stopped.state(), stopped.optimiser().state());
    ASSERT_EQ(resumed.run({}), TrainEnd::kDone);
    EXPECT_EQ(floats(resumed.optimiser().state().weights),
              floats(reference.optimiser().state().weights))
        << n;
    EXPECT_EQ(floats(resumed.state().best_weights), floats(reference.state().best_weights)) << n;
    EXPECT_EQ(resumed.state().best_step, reference.state().best_step) << n;
    EXPECT_EQ(first.validations + second.validations, whole.validations) << n;
  }
}

TEST(Trainer, KeepsTheBestWeightsOrTheLast) {
  for (const auto& [keep, step] : {std::pair{recipe::Keep::kBest, 4}, {recipe::Keep::kLast, 20}}) {
    ToyTask task;
    task.worse_and_worse = true;
    recipe::TrainConfig config = toy_config();
    config.keep = keep;
    Trainer trainer(task, config, one_worker());
    ASSERT_EQ(trainer.run({}), TrainEnd::kDone);
    EXPECT_EQ(trainer.state().best_step, step);
    EXPECT_EQ(floats(trainer.state().best_weights) == floats(trainer.optimiser().result()),
              keep == recipe::Keep::kLast);
  }
}

TEST(Trainer, StopsWhenPerfectForAWhile) {
  ToyTask task;
  task.perfect = true;
  Trainer trainer(task, toy_config(), one_worker());
  EXPECT_EQ(trainer.run({}), TrainEnd::kPerfect);
  EXPECT_EQ(trainer.state().step, 12);
  EXPECT_EQ(trainer.state().best_step, 12);
}

std::string failure_of(ToyTask& task, Trainer& trainer) {
  try {
    trainer.run({});
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.kind()), 1);
    return error.what();
  }
  return "no failure of " + std::string(task.name());
}

TEST(Trainer, NonFiniteGradientStopsBeforeTheStepAndNamesIt) {
  ToyTask task;
  task.nan_gradient_at = 7;
  Trainer trainer(task, toy_config(), one_worker());
  EXPECT_EQ(failure_of(task, trainer),
            "toy, step 7: the gradient of far is not finite; stopped before the step");
  EXPECT_EQ(trainer.state().step, 6);
  for (const float weight : floats(trainer.optimiser().state().weights)) {
    EXPECT_TRUE(std::isfinite(weight));
  }
}

TEST(Trainer, NonFiniteLossStopsBeforeTheStep) {
  ToyTask task;
  task.nan_loss_at = 5;
  Trainer trainer(task, toy_config(), one_worker());
  EXPECT_EQ(failure_of(task, trainer),
            "toy, step 5: the loss is not finite; stopped before the step");
}

TEST(Optimiser, AveragedWeightsAreShownForAWhileOnly) {
  ToyTask task;
  recipe::TrainConfig config = toy_config();
  Trainer trainer(task, config, one_worker());
  trainer.run({.stop = stop_at(7)});
  const auto before = floats(task.net.near);
  {
    const FlatAdam::Averaged averaged(trainer.optimiser());
    EXPECT_NE(floats(task.net.near), before);
  }
  EXPECT_EQ(floats(task.net.near), before);
}

// AdamW by the book, one weight at a time, in double precision; our kernel is for single precision.
TEST(Optimiser, EqualsAdamWByTheBook) {
  ToyTask task;
  recipe::TrainConfig config = toy_config();
  config.clip = 1.5;
  FlatAdam optimiser(task.module(), config);
  double w = 0, m = 0, v = 0, average = 0;
  for (int step = 1; step <= 10; ++step) {
    optimiser.differentiate((task.net.near - std::sin(step)).square().sum());
    double g = 2 * (w - std::sin(step));
    const double norm = std::sqrt(3 * g * g);
    if (norm > config.clip) g *= config.clip / norm;
    optimiser.step(0.1, step);
    m = config.beta1 * m + (1 - config.beta1) * g;
    v = config.beta2 * v + (1 - config.beta2) * g * g;
    w -= 0.1 * config.weight_decay * w;
    w -= 0.1 * (m / (1 - std::pow(config.beta1, step))) /
         (std::sqrt(v / (1 - std::pow(config.beta2, step))) + 1e-8);
    average += std::max(1 - config.average, 1.0 / (step + 1)) * (w - average);
    EXPECT_NEAR(task.net.near[0].item<double>(), w, 1e-5);
    EXPECT_NEAR(optimiser.result()[0].item<double>(), average, 1e-5);
  }
}

TEST(Optimiser, AddsUpTheGradientsOfAllParts) {
  ToyTask whole, split;
  FlatAdam one(whole.module(), toy_config()), three(split.module(), toy_config(), 3);
  for (int step = 1; step <= 5; ++step) {
    one.differentiate((whole.net.near - 1).square().sum());
    three.differentiate((split.net.near - 1).square().narrow(0, 0, 2).sum(), 2);
    three.differentiate({}, 1);  // an empty part
    three.differentiate((split.net.near - 1).square()[2], 0);
    one.step(0.1, step);
    three.step(0.1, step);
    EXPECT_EQ(floats(one.state().weights), floats(three.state().weights));
  }
}

TEST(Batches, MarksKeepTouchingLeavesApart) {
  const std::string formula = "[SM[MAX10][MIN97]]";
  const data::RewriteExample example{
      .formula = formula, .steps = {{{3, 10}, "1"}, {{10, 17}, "7"}}, .final = false};
  std::vector<Span> characters;
  for (std::size_t i = 0; i < formula.size(); ++i) characters.push_back({i, i + 1});
  EXPECT_EQ(mark_targets(example, characters, nn::Marks::kBeginInside),
            (std::vector<std::int32_t>{0, 0, 0, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 0}));
  EXPECT_EQ(mark_targets(example, characters, nn::Marks::kInside),
            (std::vector<std::int32_t>{0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0}));
  const data::RewriteExample atom{.formula = "42", .steps = {}, .final = true};
  EXPECT_EQ(mark_targets(atom, std::vector<Span>{{0, 1}, {1, 2}}, nn::Marks::kBeginInside),
            (std::vector<std::int32_t>{1, 2}));
}

using TrainTest = TinyRun;

TEST_F(TrainTest, SameSeedSameFileAndResumingChangesNothing) {
  ASSERT_EQ(train(request("a"), {}), RunEnd::kDone);
  ASSERT_EQ(train(request("b"), {}), RunEnd::kDone);
  const std::string whole = bytes("a");
  EXPECT_EQ(bytes("b"), whole);
  EXPECT_FALSE(fs::exists(model::checkpoint_path(folder / "a")));
  bool done = false;
  for (int n = 1; !done; n += 5) {  // after steps, in validations, between the modules
    const std::string name = "c" + std::to_string(n);
    done = train(request(name), {.stop = stop_at(n)}) == RunEnd::kDone;
    if (done) break;
    ASSERT_FALSE(fs::exists(folder / name));
    ASSERT_EQ(train(request(name, true), {}), RunEnd::kDone);
    EXPECT_EQ(bytes(name), whole) << "interrupted at question " << n;
  }
}

TEST_F(TrainTest, OtherSeedOtherFile) {
  TrainRequest other = request("b");
  other.recipe.seed = 2;
  train(request("a"), {});
  train(other, {});
  EXPECT_NE(bytes("a"), bytes("b"));
}

TEST_F(TrainTest, MetricsHaveEveryStepOnceAfterResuming) {
  train(request("a"), {.stop = stop_at(9)});
  train(request("a", true), {});
  std::ifstream lines(model::metrics_path(folder / "a"));
  int ends = 0;
  int validations = 0;
  for (std::string line; std::getline(lines, line);) {
    ends += line.find("\"event\":\"end\"") != std::string::npos ? 1 : 0;
    validations += line.find("\"event\":\"validation\"") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(ends, 2);
  EXPECT_EQ(validations, 2 + 3);
}

TEST_F(TrainTest, DoesNotForgetAnInterruptedRun) {
  EXPECT_THROW(train(request("a", true), {}), Error);  // nothing there yet
  train(request("a"), {.stop = stop_at(3)});
  EXPECT_THROW(train(request("a"), {}), Error);
  EXPECT_EQ(train(request("a", true), {}), RunEnd::kDone);
}

TEST_F(TrainTest, OneModuleAloneKeepsTheOther) {
  train(request("a"), {});
  const model::Model before = model::load_model(folder / "a");
  TrainRequest solver = request("a");
  solver.only = "solver";
  solver.recipe.seed = 2;
  ASSERT_EQ(train(solver, {}), RunEnd::kDone);
  const model::Model after = model::load_model(folder / "a");
  EXPECT_EQ(after.modules.at("selector").weights, before.modules.at("selector").weights);
  EXPECT_NE(after.modules.at("solver").weights, before.modules.at("solver").weights);
}

TEST(Learning, SmallSolverLearnsAllOfLogic) {
  recipe::Recipe recipe = tiny_recipe();
  auto& sections = recipe.of<recipe::RewritingSections>();
  sections.solver.encoder.dim = 32;
  sections.solver.encoder.dropout = 0;
  sections.train.solver = {.steps = 600,
                           .batch = 64,
                           .rate = 4e-3,
                           .warmup = 30,
                           .average = 0.98,
                           .validate_every = 50,
                           .patience = 1};
  const SolverPairs taught = make_source({.domains = {"logic"}})->pairs(1);
  const auto task = solver_task(recipe, taught);
  Trainer trainer(*task, sections.train.solver, one_worker());
  EXPECT_EQ(trainer.run({}), TrainEnd::kPerfect) << trainer.state().best.in_distribution;

  // Free writing agrees with what validation said of it.
  trainer.optimiser().set_weights(trainer.state().best_weights);
  model::Model trained;
  task->export_to(trained, {{"threshold", -1.0}});
  const model::SolverModel solver = model::solver_of(trained);
  const SolverBatcher batcher(sections.solver, {.input = solver.input, .output = solver.output});
  const PairList& pairs = taught.train;
  Batch batch;
  for (std::size_t i = 0; i < pairs.size(); ++i) batcher.add(pairs, i, 0, batch);
  const auto& net = dynamic_cast<const SolverNet&>(task->module());
  const auto written = net.write_greedily(batch.read, 2);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i);
    const auto* target = batch.targets.data() + batch.written.packing.begin(row);
    EXPECT_EQ(written[i], std::vector<std::int32_t>(target, target + 2)) << pairs.text(i);
  }
}

}  // namespace
}  // namespace nrs::learn
