// Neural Data Routers as model files, and running them.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "architectures/architecture.h"
#include "nrs/error.h"
#include "random_router.h"
#include "runtime/router.h"

namespace nrs::model {
namespace {

Model router_model(const nn::RouterConfig& config = {
                       .dim = 16, .heads = 2, .layers = 3, .columns = 2}) {
  Model model;
  model.modules["router"] = to_module(random_router(config, 3));
  model.name = "some-router";
  return model;
}

void change(Model& model, const std::function<void(nn::RouterConfig&)>& change_config) {
  RouterModel router = router_of(model);
  change_config(router.config);
  model.modules["router"] = to_module(std::move(router));
}

Model again(const Model& model) {
  return parse_model(TensorFile::parse(serialise_model(model), "again"), {});
}

TEST(RouterModel, IsReadAsItWasWritten) {
  const Model model = router_model();
  const Model read = again(model);
  ASSERT_TRUE(read.has("router"));
  EXPECT_EQ(read.modules.at("router").weights, model.modules.at("router").weights);
  EXPECT_EQ(router_of(read).config.columns, 2);
  EXPECT_EQ(router_of(read).output.tokens(), router_of(model).output.tokens());
  EXPECT_EQ(serialise_model(read), serialise_model(model));
}

TEST(RouterModel, StandsAlone) {
  Model model = router_model();
  model.modules["solver"] = to_module(random_solver({}, "01", 1));
  EXPECT_THROW(architectures::RunningModel{model}, Error);
}

TEST(RouterModel, RefusesTensorsAndFieldsThatDoNotFit) {
  Model wrong = router_model();
  wrong.modules.at("router").weights.at("router.attention.scale").values.push_back(0);
  wrong.modules.at("router").weights.at("router.attention.scale").shape = {4};
  EXPECT_THROW(check_model(wrong), Error);
  wrong = router_model();
  change(wrong, [](nn::RouterConfig& config) { config.heads = 3; });
  EXPECT_THROW(check_model(wrong), Error);
  wrong = router_model();
  change(wrong, [](nn::RouterConfig& config) { config.readout = nn::Readout::kLast; });
  EXPECT_THROW(check_model(wrong), Error);
}

TEST(RouterModel, GivesTheSameValueWhateverStandsBesideAFormula) {
  const architectures::RunningModel model(router_model());
  const std::vector<std::string_view> formulas{"(1+2)", "7", "((a+b)*(3-4))"};
  const auto together = model.rewriter().run(formulas, {.keep_rounds = true});
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    const Result alone = model.rewriter().rewrite(formulas[i]);
    EXPECT_EQ(alone.formula, together[i].formula);
    EXPECT_EQ(alone.stop, together[i].stop);
    if (!alone.ok()) continue;
    EXPECT_EQ(together[i].steps, 1U);
    EXPECT_EQ(replay(formulas[i], together[i].record).back(), together[i].formula);
  }
}

TEST(RouterModel, AnEmptyAnswerIsMalformed) {
  Model model = router_model();
  model.modules.at("router").weights.at("router.head.bias").values[kEndId] = 1000;
  const std::string_view formula = "(1+2)";
  const Result result = architectures::RunningModel(std::move(model)).rewriter().rewrite(formula);
  EXPECT_EQ(result.stop, Stop::kMalformed);
  EXPECT_EQ(result.formula, formula);
}

TEST(RouterModel, DoesNotReadWhatWouldTakeMinutes) {
  const std::string formula(runtime::ModelRouter::kMostTokens + 1, '7');
  const Result result = architectures::RunningModel(router_model()).rewriter().rewrite(formula);
  EXPECT_EQ(result.stop, Stop::kStepLimit);
}

TEST(RouterModel, HasNoModules) {
  const architectures::RunningModel model(router_model());
  EXPECT_EQ(model.architecture().name(), "ndr");
  EXPECT_FALSE(model.architecture().verifiable());
  EXPECT_EQ(model.rewriter().modular(), nullptr);
  EXPECT_THROW(model.modular(), Error);
  EXPECT_FALSE(model.rewriter().threshold());
  EXPECT_NO_THROW(model.rewriter().check("(1+2)"));
  EXPECT_THROW(model.rewriter().check("(1?2)"), Error);
}

}  // namespace
}  // namespace nrs::model
