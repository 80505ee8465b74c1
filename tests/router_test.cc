// Neural Data Routers as model files, and running them.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "nrs/error.h"
#include "random_router.h"
#include "runtime/running_model.h"

namespace nrs {
namespace {

Model router_model(const RouterConfig& config = {
                       .dim = 16, .heads = 2, .layers = 3, .columns = 2}) {
  Model model;
  model.router = random_router(config, 3);
  model.name = "some-router";
  return model;
}

Model again(const Model& model) {
  return parse_model(TensorFile::parse(serialise_model(model), "again"), {});
}

TEST(RouterModel, IsReadAsItWasWritten) {
  const Model model = router_model();
  const Model read = again(model);
  ASSERT_TRUE(read.router);
  EXPECT_EQ(read.router->weights, model.router->weights);
  EXPECT_EQ(read.router->config.columns, 2);
  EXPECT_EQ(read.router->output.tokens(), model.router->output.tokens());
  EXPECT_EQ(serialise_model(read), serialise_model(model));
}

TEST(RouterModel, StandsAlone) {
  Model model = router_model();
  model.solver = random_solver({}, "01", 1);
  EXPECT_THROW(check_model(model), Error);
}

TEST(RouterModel, RefusesTensorsAndFieldsThatDoNotFit) {
  Model wrong = router_model();
  wrong.router->weights.at("router.attention.scale").values.push_back(0);
  wrong.router->weights.at("router.attention.scale").shape = {4};
  EXPECT_THROW(check_model(wrong), Error);
  wrong = router_model();
  wrong.router->config.heads = 3;
  EXPECT_THROW(check_model(wrong), Error);
  wrong = router_model();
  wrong.router->config.readout = Readout::kLast;
  EXPECT_THROW(check_model(wrong), Error);
}

TEST(RouterModel, GivesTheSameValueWhateverStandsBesideAFormula) {
  const RunningModel model(router_model());
  const std::vector<std::string_view> formulas{"(1+2)", "7", "((a+b)*(3-4))"};
  const auto together = model.run(formulas, {.keep_rounds = true});
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    const Result alone = model.run(std::span(&formulas[i], 1), {}).front();
    EXPECT_EQ(alone.formula, together[i].formula);
    EXPECT_EQ(alone.stop, together[i].stop);
    if (!alone.ok()) continue;
    EXPECT_EQ(together[i].steps, 1U);
    EXPECT_EQ(replay(formulas[i], together[i].record).back(), together[i].formula);
  }
}

TEST(RouterModel, AnEmptyAnswerIsMalformed) {
  Model model = router_model();
  model.router->weights.at("router.head.bias").values[kEndId] = 1000;
  const std::string_view formula = "(1+2)";
  const Result result = RunningModel(std::move(model)).run(std::span(&formula, 1), {}).front();
  EXPECT_EQ(result.stop, Stop::kMalformed);
  EXPECT_EQ(result.formula, formula);
}

TEST(RouterModel, DoesNotReadWhatWouldTakeMinutes) {
  const std::string formula(ModelRouter::kMostTokens + 1, '7');
  const std::string_view view = formula;
  const Result result = RunningModel(router_model()).run(std::span(&view, 1), {}).front();
  EXPECT_EQ(result.stop, Stop::kStepLimit);
}

TEST(RouterModel, HasNoModules) {
  const RunningModel model(router_model());
  EXPECT_TRUE(model.routes());
  EXPECT_THROW(model.selector(), Error);
  EXPECT_THROW(model.leaf_writer(), Error);
  EXPECT_THROW(model.solver(), Error);
  EXPECT_NO_THROW(model.check_known("(1+2)"));
  EXPECT_THROW(model.check_known("(1?2)"), Error);
}

}  // namespace
}  // namespace nrs
