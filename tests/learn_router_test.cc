// The Neural Data Router: attention to the nearest match against its definition, and the network.
#include <gtest/gtest.h>
#include <torch/types.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "learn/nets/fused.h"
#include "learn/nets/router_net.h"
#include "learn/train/train.h"
#include "model/model_file.h"
#include "nn/tensor_names.h"
#include "nrs/error.h"
#include "plain_nets.h"
#include "plain_twins.h"
#include "tiny_run.h"

namespace nrs {
namespace {

using torch::Tensor;

learn::Rows packed(const std::vector<std::size_t>& lengths) {
  nn::Packing packing;
  for (const std::size_t length : lengths) packing.add(length);
  return std::make_shared<const nn::Packing>(packing);
}

Tensor all_others(std::int64_t length) {
  return ~torch::eye(length, torch::kBool);
}

// By definition: keys in the order i + 1, i - 1, i + 2, ..., each with the product over those
// before it.
Tensor direct_weights(const Tensor& z) {
  const std::int64_t length = z.size(0);
  const Tensor share = torch::sigmoid(z), weights = torch::zeros_like(z);
  for (std::int64_t i = 0; i < length; ++i) {
    std::vector<std::int64_t> keys;
    for (std::int64_t m = 1; m < length; ++m) {
      for (const std::int64_t j : {i + m, i - m}) {
        if (j >= 0 && j < length) keys.push_back(j);
      }
    }
    for (std::size_t n = 0; n < keys.size(); ++n) {
      double weight = share[i][keys[n]].item<double>();
      for (std::size_t k = 0; k < n; ++k) weight *= 1 - share[i][keys[k]].item<double>();
      weights[i][keys[n]] = weight;
    }
  }
  return weights;
}

TEST(GeometricWeights, AreTheDirectProduct) {
  torch::manual_seed(1);
  for (const std::int64_t length : {1, 2, 3, 8, 13}) {
    const Tensor z = 3 * torch::randn({length, length}, torch::kDouble);
    const Tensor weights = learn::reference::geometric_weights(z, all_others(length));
    EXPECT_LT((weights - direct_weights(z)).abs().max().item<double>(), 1e-12) << length;
    // What a query gives away is all but what no key has taken.
    const Tensor rest = (1 - torch::sigmoid(z)).masked_fill(~all_others(length), 1).prod(-1);
    EXPECT_TRUE(weights.sum(-1).allclose(1 - rest));
  }
}

TEST(GeometricWeights, CertainMatchesGoToTheRightNeighbour) {
  const Tensor z = torch::full({6, 6}, 60.0, torch::kDouble);
  const Tensor weights = learn::reference::geometric_weights(z, all_others(6));
  for (std::int64_t i = 0; i < 6; ++i) {
    EXPECT_EQ(weights[i].argmax().item<std::int64_t>(), i < 5 ? i + 1 : 4);
    EXPECT_NEAR(weights[i].max().item<double>(), 1, 1e-12);
  }
}

TEST(GeometricWeights, GradientsAreThoseOfFiniteDifferences) {
  torch::manual_seed(2);
  const Tensor z = (2 * torch::randn({7, 7}, torch::kDouble)).requires_grad_();
  const Tensor direction = torch::randn({7, 7}, torch::kDouble);
  const auto value = [&](const Tensor& at) {
    return (learn::reference::geometric_weights(at, all_others(7)) * direction).sum();
  };
  value(z).backward();
  constexpr double kStep = 1e-6;
  for (std::int64_t i = 0; i < 49; ++i) {
    Tensor shift = torch::zeros({49}, torch::kDouble);
    shift[i] = kStep;
    const Tensor by = shift.view({7, 7});
    const double slope =
        ((value(z.detach() + by) - value(z.detach() - by)) / (2 * kStep)).item<double>();
    EXPECT_NEAR(z.grad().view({-1})[i].item<double>(), slope, 1e-7);
  }
}

struct Case {
  std::vector<std::size_t> lengths;
  int heads, width;
};

// Value, and the gradients in both inputs of a fixed projection of it.
std::vector<Tensor> attention_and_gradients(const Case& one, torch::Dtype type, float size) {
  const learn::Rows rows = packed(one.lengths);
  const std::int64_t dim = one.heads * one.width;
  torch::manual_seed(4);
  const Tensor x = size * torch::randn({rows->tokens(), 3 * dim + 2 * one.heads});
  const Tensor scale = torch::tensor({0.4F, 0.7F, -0.5F});
  const Tensor direction = torch::randn({rows->tokens(), dim});
  const Tensor x_leaf = x.to(type).requires_grad_(), scale_leaf = scale.to(type).requires_grad_();
  const auto attention =
      type == torch::kDouble ? learn::reference::geometric_attention : learn::geometric_attention;
  const Tensor out = attention(x_leaf, scale_leaf, rows, one.heads);
  (out * direction.to(type)).sum().backward();
  return {out.detach(), x_leaf.grad(), scale_leaf.grad()};
}

TEST(GeometricAttention, KernelsAgreeWithLogarithmsInDoublePrecision) {
  for (const Case& one : {Case{{1}, 2, 4}, Case{{3, 1, 17, 40, 2}, 2, 8}, Case{{8, 9, 33}, 3, 5},
                          Case{{12, 70}, 1, 16}}) {
    for (const float size : {1.0F, 6.0F}) {
      const auto found = attention_and_gradients(one, torch::kFloat, size);
      const auto exact = attention_and_gradients(one, torch::kDouble, size);
      for (std::size_t i = 0; i < found.size(); ++i) {
        const double norm = std::max(1e-3, exact[i].norm().item<double>());
        EXPECT_LT((found[i] - exact[i]).norm().item<double>() / norm, 1e-5) << i;
      }
    }
  }
}

nn::RouterConfig small_config() {
  return {.dim = 16, .heads = 2, .layers = 3, .columns = 2};
}

learn::Batch batch_of(const nn::RouterConfig& config, const std::vector<std::string>& formulas) {
  model::VocabularyBuilder tokens{model::TokenRules()};
  tokens.add("()+-0123456789");
  const learn::RouterBatcher batcher(config, tokens.build(model::Specials::kInput),
                                     tokens.build(model::Specials::kOutput));
  learn::Batch batch;
  for (const std::string& formula : formulas) batcher.add({formula, "7"}, batch);
  return batch;
}

TEST(RouterNet, HasTheTensorsOfTheModelFile) {
  using Names = std::vector<std::pair<std::string, nn::TensorShape>>;
  for (const int ff_mul : {1, 3}) {
    nn::RouterConfig config = small_config();
    config.ff_mul = ff_mul;
    Names names, expected;
    for (const auto& item : learn::RouterNet(config, 9, 7, 1).named_parameters()) {
      const auto sizes = item.value().sizes();
      names.emplace_back(std::string(nn::kRouterPrefix) + item.key(),
                         nn::TensorShape(sizes.begin(), sizes.end()));
    }
    for (const nn::ExpectedTensor& tensor : nn::router_tensors(config, 9, 7)) {
      expected.emplace_back(tensor.name, tensor.shape);
    }
    std::sort(names.begin(), names.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(names, expected);
  }
}

// The authors' program lets padding be seen, and puts the end behind it.
TEST(RouterNet, CompanionsOfAnyLengthChangeNothing) {
  const torch::NoGradGuard no_grad;
  const nn::RouterConfig config = small_config();
  const learn::RouterNet net(config, 15, 18, 1);
  const Tensor alone = net.forward(batch_of(config, {"((1+2)-(3+4))"}));
  const Tensor together =
      net.forward(batch_of(config, {"7", "((1+2)-(3+4))", "(((1+2)-(3+4))+((5+6)-8))"}));
  EXPECT_TRUE(alone.allclose(together.narrow(0, 2, 2), 1e-5, 1e-5));
}

TEST(RouterNet, ReadsTheFirstColumnsOrTheLast) {
  nn::RouterConfig config = small_config();
  const learn::Batch first = batch_of(config, {"7", "(1+2)"});
  // Begin, 7, end; begin, five tokens, end.
  EXPECT_EQ(first.read.packing.tokens(), 3 + 7);
  EXPECT_EQ(first.at, (std::vector<std::int32_t>{0, 1, 3, 4}));
  EXPECT_EQ(first.targets[1], model::kEndId);
  config.columns = 5;
  EXPECT_EQ(batch_of(config, {"7"}).read.packing.tokens(), 5) << "room for the answer";
  config.columns = 1;
  config.readout = nn::Readout::kLast;
  EXPECT_EQ(batch_of(config, {"7", "(1+2)"}).at, (std::vector<std::int32_t>{2, 9}));
}

TEST(RouterNet, RefusesAValueThatDoesNotFit) {
  model::VocabularyBuilder tokens{model::TokenRules()};
  tokens.add("0123456789");
  const learn::RouterBatcher batcher(small_config(), tokens.build(model::Specials::kInput),
                                     tokens.build(model::Specials::kOutput));
  learn::Batch batch;
  EXPECT_THROW(batcher.add({"1", "123"}, batch), Error);
}

TEST(RouterNet, PartsOfABatchHaveTheLossesOfTheWhole) {
  const torch::NoGradGuard no_grad;
  nn::RouterConfig config = small_config();
  config.dropout = config.key_dropout = config.gate_dropout = 0.3;
  const learn::RouterNet net(config, 15, 18, 1);
  const learn::Batch batch = batch_of(config, {"7", "(1+2)", "((1+2)-(3+4))", "(9-(8+7))"});
  const learn::Pass pass{.training = true, .seed = 3};
  std::vector<Tensor> logits;
  for (const learn::Batch& part : learn::split(batch, 2)) logits.push_back(net.forward(part, pass));
  EXPECT_TRUE(torch::cat(logits).allclose(net.forward(batch, pass), 1e-5, 1e-5));
  EXPECT_FALSE(net.forward(batch, pass).equal(net.forward(batch, {true, 4})));
  EXPECT_TRUE(net.forward(batch).equal(net.forward(batch, {false, 4})));
}

TEST(RouterNet, GradientsAgreeWithDoublePrecision) {
  const nn::RouterConfig config = small_config();
  const learn::Batch batch = batch_of(config, {"7", "((1+2)-(3+4))", "(9-(8+7))"});
  const learn::RouterNet net(config, 15, 18, 1);
  const auto exact_weights = learn::reference::weights_of(net, torch::kDouble);
  const Tensor logits = net.forward(batch);
  const Tensor exact_logits = learn::reference::router_logits(exact_weights, config, batch);
  torch::manual_seed(1);
  const Tensor direction = torch::randn(logits.sizes());
  (logits * direction).sum().backward();
  (exact_logits * direction.to(torch::kDouble)).sum().backward();
  const Tensor found = learn::reference::gradient_of(net.named_parameters());
  const Tensor exact = learn::reference::gradient_of(exact_weights);
  EXPECT_LT((found - exact).norm().item<double>() / exact.norm().item<double>(), 1e-5);
}

class RouterRun : public TemporaryFolder {
 protected:
  learn::TrainRequest request(const std::string& name, bool resume = false) const {
    recipe::Recipe recipe = recipe::parse_recipe(R"(
      name = "tiny"
      threads = 1
      checkpoint_seconds = 1000
      [data]
      domains = ["logic"]
      valid_formulas = 1
      [router]
      dim = 16
      heads = 2
      layers = 2
      dropout = 0.1
      gate_dropout = 0.1
      [train.router]
      steps = 6
      batch = 8
      warmup = 2
      validate_every = 3
      sampling = "loss"
      easy_first = 0.5
    )",
                                                 "tiny.toml");
    return {.recipe = recipe, .out = folder / name, .resume = resume};
  }
};

TEST_F(RouterRun, TrainsWritesItsModelAndResumesToTheSameBytes) {
  ASSERT_EQ(learn::train(request("whole.nrs"), {}), learn::RunEnd::kDone);
  const model::Model model = model::load_model(folder / "whole.nrs");
  ASSERT_TRUE(model.has("router"));
  EXPECT_EQ(model.modules.size(), 1U);
  learn::TrainWatch watch;
  watch.stop = stop_at(4);
  ASSERT_EQ(learn::train(request("stopped.nrs"), watch), learn::RunEnd::kInterrupted);
  ASSERT_EQ(learn::train(request("stopped.nrs", /*resume=*/true), {}), learn::RunEnd::kDone);
  EXPECT_EQ(read_file(folder / "whole.nrs", 1 << 30), read_file(folder / "stopped.nrs", 1 << 30));
}

TEST_F(RouterRun, HasNoModulesToTrainAlone) {
  learn::TrainRequest wanted = request("x.nrs");
  wanted.only = "solver";
  EXPECT_THROW(learn::train(wanted, {}), Error);
}

}  // namespace
}  // namespace nrs
