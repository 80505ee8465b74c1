// Fused operations against their plain twins, and kernels against torch.
#include <gtest/gtest.h>
#include <torch/optim/adamw.h>
#include <torch/types.h>

#include <functional>
#include <vector>

#include "learn/kernels/kernels.h"
#include "learn/nets/fused.h"
#include "nn/fast_math.h"
#include "plain_twins.h"

namespace nrs::learn {
namespace {

using torch::Tensor;

Rows packed(const std::vector<std::size_t>& lengths) {
  nn::Packing packing;
  for (const std::size_t length : lengths) packing.add(length);
  return std::make_shared<const nn::Packing>(packing);
}

// Runs a function of tensors, and returns its results and the gradients of a fixed random
// projection of them in all the inputs.
using Inputs = std::vector<Tensor>;
using Function = std::function<Inputs(const Inputs&)>;
Inputs results_and_gradients(const Function& function, const Inputs& inputs) {
  Inputs leaves;
  for (const Tensor& input : inputs) {
    leaves.push_back(input.defined() ? input.detach().clone().requires_grad_() : input);
  }
  Inputs all = function(leaves);
  torch::manual_seed(5);
  Tensor projection = torch::zeros({});
  for (const Tensor& result : all) {
    projection = projection + (result * torch::randn(result.sizes())).sum();
  }
  projection.backward();
  for (Tensor& result : all) result = result.detach();
  for (const Tensor& leaf : leaves) {
    if (leaf.defined())
      all.push_back(leaf.grad().defined() ? leaf.grad() : torch::zeros_like(leaf));
  }
  return all;
}

void expect_same(const Function& fused, const Function& plain, const Inputs& inputs) {
  const Inputs a = results_and_gradients(fused, inputs), b = results_and_gradients(plain, inputs);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].sizes(), b[i].sizes()) << "tensor " << i;
    if (a[i].numel() == 0) continue;
    const double size = std::max(1.0, b[i].abs().max().item<double>());
    EXPECT_LT((a[i] - b[i]).abs().max().item<double>() / size, 2e-5) << "tensor " << i;
  }
}

Inputs random(std::initializer_list<std::vector<std::int64_t>> shapes) {
  torch::manual_seed(3);
  Inputs inputs;
  for (const auto& shape : shapes) {
    const double scale = shape.size() == 2 && shape[1] > 8 ? 0.4 : 1.0;
    inputs.push_back(torch::randn(shape) * scale);
  }
  return inputs;
}

const std::vector<std::vector<std::size_t>> kLengths{
    {1}, {9}, {3, 1, 17}, {8, 16, 7, 9, 33, 2}, {5, 0, 4}, {100, 1}};

TEST(KernelMath, ExpAndGeluAreFloatAccurate) {
  for (double x = -80; x < 80; x += 0.0137) {
    const auto value = static_cast<double>(nn::common::fast_exp(static_cast<float>(x)));
    EXPECT_NEAR(value / std::exp(static_cast<double>(static_cast<float>(x))), 1, 1e-6) << x;
  }
  for (double x = -12; x < 12; x += 0.0137) {
    const auto at = static_cast<double>(static_cast<float>(x));
    const double phi = 0.5 * std::erfc(-at / std::sqrt(2.0));
    const auto [value, slope] = nn::common::gelu(static_cast<float>(x));
    EXPECT_NEAR(value, at * phi, 2e-6) << x;
    EXPECT_NEAR(slope, phi + at * std::exp(-at * at / 2) / std::sqrt(2 * M_PI), 2e-6) << x;
  }
  EXPECT_TRUE(std::isnan(nn::common::fast_exp(NAN)));
}

TEST(Fused, SelfAttentionEqualsItsTwin) {
  for (const auto& lengths : kLengths) {
    for (const auto& [dim, heads] : std::vector<std::pair<int, int>>{{64, 4}, {96, 4}, {30, 3}}) {
      for (const bool causal : {false, true}) {
        const Rows rows = packed(lengths);
        const SelfAttentionShape shape{heads, causal, 0, 0};
        const Inputs inputs =
            random({{rows->tokens(), dim}, {3 * dim, dim}, {3 * dim}, {dim, dim}});
        const auto run = [&](auto function) {
          return [&, function](const Inputs& in) -> Inputs {
            return {function(in[0], {in[1], in[2], in[3], {}, {}}, rows, shape)};
          };
        };
        expect_same(run(self_attention), run(reference::self_attention), inputs);
      }
    }
  }
}

TEST(Fused, WindowAttentionEqualsItsTwin) {
  for (const auto& lengths : kLengths) {
    for (const auto& [window, dilation] :
         std::vector<std::pair<int, int>>{{1, 1}, {1, 16}, {3, 2}}) {
      for (const int dim : {64, 20}) {
        const Rows rows = packed(lengths);
        const SelfAttentionShape shape{4, false, window, dilation};
        const int slots = 2 * window + 1;
        const Inputs inputs = random({{rows->tokens(), dim},
                                      {3 * dim, dim},
                                      {3 * dim},
                                      {dim, dim},
                                      {slots, 4},
                                      {slots, dim}});
        const auto run = [&](auto function, bool relative) {
          return [&, function, relative](const Inputs& in) -> Inputs {
            return {function(
                in[0],
                {in[1], in[2], in[3], relative ? in[4] : Tensor(), relative ? in[5] : Tensor()},
                rows, shape)};
          };
        };
        for (const bool relative : {false, true}) {
          expect_same(run(self_attention, relative), run(reference::self_attention, relative),
                      inputs);
        }
      }
    }
  }
}

// The definition: full attention of one row with everything outside the window masked.
TEST(Fused, WindowAttentionEqualsDenseMaskedAttention) {
  const int length = 23, dim = 12, heads = 3, window = 2, dilation = 3, slots = 2 * window + 1;
  const Rows rows = packed({length});
  const Inputs inputs =
      random({{length, dim}, {3 * dim, dim}, {3 * dim}, {dim, dim}, {slots, heads}, {slots, dim}});
  const auto dense = [&](const Inputs& in) -> Inputs {
    const auto parts = torch::linear(in[0], in[1], in[2]).chunk(3, -1);
    const auto by_head = [&](const Tensor& t) {
      return t.view({length, heads, -1}).transpose(0, 1);
    };
    Tensor scores = by_head(parts[0]).matmul(by_head(parts[1]).transpose(1, 2)) /
                    std::sqrt(static_cast<double>(dim / heads));
    Tensor slot = torch::full({length, length}, -1, torch::kInt64);
    for (int i = 0; i < length; ++i) {
      for (int s = 0; s < slots; ++s) {
        const int j = i + (s - window) * dilation;
        if (j >= 0 && j < length) slot[i][j] = s;
      }
    }
    const Tensor used = slot.clamp_min(0).view({-1});
    scores = scores + in[4].index_select(0, used).view({length, length, heads}).permute({2, 0, 1});
    const Tensor weights = scores.masked_fill(slot < 0, -INFINITY).softmax(-1);
    const Tensor offsets = in[5].index_select(0, used).view({length, length, heads, dim / heads});
    const Tensor mixed =
        weights.matmul(by_head(parts[2])) + torch::einsum("hij,ijhd->hid", {weights, offsets});
    return {torch::linear(mixed.transpose(0, 1).reshape({length, dim}), in[3])};
  };
  const auto fused = [&](const Inputs& in) -> Inputs {
    return {self_attention(in[0], {in[1], in[2], in[3], in[4], in[5]}, rows,
                           {heads, false, window, dilation})};
  };
  expect_same(fused, dense, inputs);
}

TEST(Fused, CrossAttentionEqualsItsTwinAlsoWithNothingToAttendTo) {
  const Rows queries = packed({4, 1, 6, 3}), keys = packed({9, 17, 0, 1});
  for (const int dim : {64, 20}) {
    const Inputs inputs = random({{queries->tokens(), dim},
                                  {keys->tokens(), dim},
                                  {dim, dim},
                                  {dim},
                                  {2 * dim, dim},
                                  {2 * dim},
                                  {dim, dim}});
    const auto run = [&](auto function) {
      return [&, function](const Inputs& in) -> Inputs {
        return {
            function(in[0], in[1], {in[2], in[3], in[4], in[5], in[6], {}}, {queries, keys}, 4)};
      };
    };
    expect_same(run(cross_attention), run(reference::cross_attention), inputs);
  }
}

TEST(Fused, LastMatchEqualsItsTwinAlsoWhereNothingIsLeft) {
  const Rows queries = packed({4, 1, 6, 3}), keys = packed({9, 40, 0, 1});
  for (const int dim : {64, 20}) {
    Inputs inputs = random({{queries->tokens(), dim},
                            {keys->tokens(), dim},
                            {dim, dim},
                            {dim},
                            {2 * dim, dim},
                            {2 * dim},
                            {dim, dim},
                            {4}});
    const auto run = [&](auto function) {
      return [&, function](const Inputs& in) -> Inputs {
        return {
            function(in[0], in[1], {in[2], in[3], in[4], in[5], in[6], in[7]}, {queries, keys}, 4)};
      };
    };
    expect_same(run(cross_attention), run(reference::cross_attention), inputs);
  }
}

TEST(Fused, LastMatchTakesTheLastOfEqualKeys) {
  const Rows queries = packed({1}), keys = packed({6});
  const Tensor eye = torch::eye(4), zero = torch::zeros({4});
  // Key and value are the memory itself; it is the same in tokens 1 and 4 but for a mark.
  Tensor memory = torch::zeros({6, 4});
  for (const int token : {1, 4}) memory[token][0] = 40;
  memory[1][1] = 1;
  memory[4][2] = 1;
  Tensor query = torch::zeros({1, 4});
  query[0][0] = 40;
  const Tensor found = cross_attention(
      query, memory,
      {eye, zero, torch::cat({eye, eye}), torch::zeros({8}), eye, torch::full({1}, -100.0F)},
      {queries, keys}, 1);
  EXPECT_NEAR(found[0][2].item<float>(), 1, 1e-5);
  EXPECT_NEAR(found[0][1].item<float>(), 0, 1e-5);
}

TEST(Fused, FeedForwardEqualsItsTwin) {
  for (const nn::Activation activation : {nn::Activation::kGelu, nn::Activation::kRelu}) {
    for (const int tokens : {1, 7, 200}) {
      const Inputs inputs = random({{tokens, 30}, {50, 30}, {50}, {30, 50}});
      const auto run = [&](auto function) {
        return [&, function](const Inputs& in) -> Inputs {
          return {function(in[0], {in[1], in[2], in[3]}, activation)};
        };
      };
      expect_same(run(feed_forward), run(reference::feed_forward), inputs);
    }
  }
}

TEST(Fused, AddNormEqualsItsTwinWithAnyPartMissing) {
  for (const int tokens : {1, 9, 150}) {
    const Inputs inputs = random({{tokens, 33}, {tokens, 33}, {33}, {33}, {33}});
    for (int present = 1; present < 8; ++present) {
      if ((present & 3) == 0) continue;  // a bias alone has no rows
      for (const bool both : {false, true}) {
        const auto run = [&](auto function) {
          return [&, function](const Inputs& in) -> Inputs {
            const auto part = [&](int i) { return (present >> i & 1) != 0 ? in[i] : Tensor(); };
            const AddNormOutput out = function({part(0), part(1), part(2), in[3], in[4]});
            return both ? Inputs{out.sum, out.normed} : Inputs{out.normed};
          };
        };
        expect_same(run(add_norm), run(reference::add_norm), inputs);
      }
    }
  }
}

TEST(Fused, GateEqualsItsTwin) {
  for (const int tokens : {1, 9, 150}) {
    const auto run = [&](auto function) {
      return [function](const Inputs& in) -> Inputs { return {function(in[0], in[1], in[2])}; };
    };
    expect_same(run(gated), run(reference::gated),
                random({{tokens, 33}, {tokens, 33}, {tokens, 33}}));
  }
}

TEST(Fused, EmbeddingEqualsItsTwin) {
  const Inputs inputs = random({{7, 20}, {5, 20}, {3, 20}});
  torch::manual_seed(1);
  const Tensor a = torch::randint(0, 7, {300}, torch::kInt32);
  const Tensor b = torch::randint(-1, 5, {300}, torch::kInt32);
  const Tensor c = torch::randint(0, 3, {300}, torch::kInt32);
  for (const int count : {1, 2, 3}) {
    const auto run = [&](auto function) {
      return [&, function](const Inputs& in) -> Inputs {
        std::vector<TableLookup> lookups{{in[0], a}, {in[1], b}, {in[2], c}};
        lookups.resize(count);
        return {function(lookups)};
      };
    };
    expect_same(run(embed), run(reference::embed), inputs);
  }
}

TEST(Fused, LossEqualsItsTwin) {
  for (const int classes : {2, 3, 41}) {
    const Inputs inputs = random({{150, classes}});
    torch::manual_seed(1);
    const Tensor targets = torch::randint(0, classes, {150}, torch::kInt32);
    const auto run = [&](auto function) {
      return [&, function](const Inputs& in) -> Inputs { return {function(in[0], targets).mean}; };
    };
    expect_same(run(token_loss), run(reference::token_loss), inputs);
    const TokenLoss a = token_loss(inputs[0], targets),
                    b = reference::token_loss(inputs[0], targets);
    EXPECT_TRUE(torch::allclose(a.each, b.each, 1e-5, 1e-6));
    EXPECT_TRUE(a.correct.equal(b.correct));
  }
}

TEST(Fused, DropoutKeepsItsShareAndItsMean) {
  const Tensor x = torch::ones({100'000});
  const Tensor dropped = seeded_dropout(x, 0.25, 11);
  EXPECT_NEAR((dropped == 0).to(torch::kFloat).mean().item<double>(), 0.25, 0.01);
  EXPECT_NEAR(dropped.mean().item<double>(), 1, 0.01);
  EXPECT_TRUE(dropped.equal(seeded_dropout(x, 0.25, 11)));
  EXPECT_FALSE(dropped.equal(seeded_dropout(x, 0.25, 12)));
  EXPECT_TRUE(dropped.narrow(0, 70, 30).equal(seeded_dropout(x.narrow(0, 0, 30), 0.25, 11, 70)));
  const auto run = [&](auto function) {
    return [function](const Inputs& in) -> Inputs { return {function(in[0], 0.25, 11, 5)}; };
  };
  expect_same(run(seeded_dropout), run(reference::seeded_dropout), random({{31, 7}}));
}

TEST(Fused, AdamEqualsTorch) {
  torch::manual_seed(2);
  Tensor theirs = torch::randn({1000}).requires_grad_();
  Tensor ours = theirs.detach().clone(), mean = torch::zeros({1000}), square = torch::zeros({1000});
  Tensor average = ours.clone(), expected = ours.clone();
  torch::optim::AdamW optimiser(
      {theirs}, torch::optim::AdamWOptions(1e-2).betas({0.9, 0.98}).weight_decay(0.1));
  for (int step = 1; step <= 20; ++step) {
    const Tensor gradient = torch::randn({1000});
    theirs.mutable_grad() = gradient * 0.5;
    optimiser.step();
    expected.lerp_(theirs.detach(), 0.1);
    kernels::adam_step(
        {1000, ours.data_ptr<float>(), gradient.data_ptr<float>(), mean.data_ptr<float>(),
         square.data_ptr<float>(), average.data_ptr<float>()},
        {1e-2, 0.9, 0.98, 1e-8, 0.1, 0.5, 1 - std::pow(0.9, step), 1 - std::pow(0.98, step), 0.1});
  }
  EXPECT_TRUE(torch::allclose(ours, theirs.detach(), 1e-4, 1e-5));
  EXPECT_TRUE(torch::allclose(average, expected, 1e-4, 1e-5));
}

}  // namespace
}  // namespace nrs::learn
