// The torch modules: fused operations against their plain twins, and the laws of the networks.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <functional>
#include <vector>

#include "learn/fused.h"
#include "learn/kernel_math.h"
#include "learn/kernels.h"
#include "learn/nets.h"
#include "learn/reference.h"
#include "model/tokenizer.h"
#include "nrs/error.h"

namespace nrs {
namespace {

using torch::Tensor;

Rows packed(const std::vector<std::size_t>& lengths) {
  Packing packing;
  for (const std::size_t length : lengths) packing.add(length);
  return std::make_shared<const Packing>(packing);
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
    const auto value = static_cast<double>(kernels::fast_exp(static_cast<float>(x)));
    EXPECT_NEAR(value / std::exp(static_cast<double>(static_cast<float>(x))), 1, 1e-6) << x;
  }
  for (double x = -12; x < 12; x += 0.0137) {
    const auto at = static_cast<double>(static_cast<float>(x));
    const double phi = 0.5 * std::erfc(-at / std::sqrt(2.0));
    const auto [value, slope] = kernels::gelu(static_cast<float>(x));
    EXPECT_NEAR(value, at * phi, 2e-6) << x;
    EXPECT_NEAR(slope, phi + at * std::exp(-at * at / 2) / std::sqrt(2 * M_PI), 2e-6) << x;
  }
  EXPECT_TRUE(std::isnan(kernels::fast_exp(NAN)));
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
        return {function(in[0], in[1], {in[2], in[3], in[4], in[5], in[6]}, {queries, keys}, 4)};
      };
    };
    expect_same(run(cross_attention), run(reference::cross_attention), inputs);
  }
}

TEST(Fused, FeedForwardEqualsItsTwin) {
  for (const Activation activation : {Activation::kGelu, Activation::kRelu}) {
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
  const auto run = [&](auto function) {
    return [function](const Inputs& in) -> Inputs { return {function(in[0], 0.25, 11)}; };
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

std::int64_t parameters(const torch::nn::Module& net) {
  std::int64_t count = 0;
  for (const Tensor& parameter : net.parameters()) count += parameter.numel();
  return count;
}

EncoderConfig paper_encoder(int dim, int layers, Positions positions) {
  return {.dim = dim,
          .layers = layers,
          .norm = Norm::kPost,
          .activation = Activation::kRelu,
          .positions = positions,
          .positions_every_layer = true,
          .embedding_std = 1};
}

struct PaperNet {
  const char* name;
  int dim, encoder, decoder;  // decoder 0: a FastNRS Selector
  int input, output;
  std::int64_t parameters;
};

class PaperCounts : public testing::TestWithParam<PaperNet> {};

TEST_P(PaperCounts, AreReproducedToTheUnit) {
  const PaperNet& net = GetParam();
  if (net.decoder == 0) {
    SelectorConfig config{.marks = Marks::kInside,
                          .encoder = paper_encoder(net.dim, net.encoder, Positions::kLabel)};
    config.encoder.dilations.assign(net.encoder, 1);
    EXPECT_EQ(parameters(SelectorNet(config, net.input, 1)), net.parameters);
    return;
  }
  const SolverConfig config{.shared_vocabulary = false,
                            .encoder = paper_encoder(net.dim, net.encoder, Positions::kSinusoid),
                            .decoder = {.layers = net.decoder,
                                        .ff_residual = false,
                                        .positions = Positions::kSinusoid,
                                        .positions_every_layer = true,
                                        .direction = Direction::kLeftToRight}};
  EXPECT_EQ(parameters(SolverNet(config, {net.input, net.output}, 1)), net.parameters);
}

INSTANTIATE_TEST_SUITE_P(
    Paper, PaperCounts,
    testing::Values(PaperNet{"SolverLogic", 64, 1, 1, 34, 32, 123'040},
                    PaperNet{"SolverListops", 128, 2, 2, 19, 14, 931'726},
                    PaperNet{"SolverArithmetic", 256, 3, 3, 16, 15, 5'541'391},
                    PaperNet{"SolverAlgebra", 256, 2, 2, 20, 21, 3'702'293},
                    PaperNet{"SolverMulti", 320, 4, 4, 55, 45, 11'556'205},
                    PaperNet{"FastSelectorLogic", 256, 3, 0, 34, 0, 2'378'755},
                    PaperNet{"FastSelectorListops", 256, 4, 0, 16, 0, 3'163'907},
                    PaperNet{"FastSelectorArithmetic", 256, 4, 0, 106, 0, 3'186'947},
                    PaperNet{"FastSelectorAlgebra", 256, 6, 0, 1216, 0, 5'050'627},
                    PaperNet{"FastSelectorMulti", 256, 4, 0, 1350, 0, 3'505'411},
                    PaperNet{"SelectorLogic", 256, 1, 2, 34, 37, 2'924'325},
                    PaperNet{"SelectorListops", 256, 1, 2, 16, 19, 2'910'483},
                    PaperNet{"SelectorArithmeticTable", 256, 3, 2, 106, 109, 4'559'213},
                    PaperNet{"SelectorArithmeticMeasured", 256, 4, 2, 106, 109,
                             10'890'364 - 5'541'391},
                    PaperNet{"SelectorAlgebra", 256, 4, 2, 1216, 1219, 6'202'563},
                    PaperNet{"SelectorMulti", 256, 5, 2, 1350, 1353, 7'095'369}),
    [](const auto& test) { return std::string(test.param.name); });

// Random rows of the given lengths; row r is the same whatever the other rows are.
TokenRows token_rows(const std::vector<std::size_t>& lengths, std::size_t first_row = 0) {
  TokenRows rows;
  for (std::size_t r = 0; r < lengths.size(); ++r) {
    Rng rng(7, first_row + r);
    std::vector<std::int32_t> ids, places;
    for (std::size_t i = 0; i < lengths[r]; ++i) {
      ids.push_back(rng.between(4, 19));
      places.push_back(rng.between(0, 3));
    }
    rows.add(ids);
    rows.add_places(places);
    rows.seeds.push_back(100 + first_row + r);
  }
  return rows;
}

std::vector<SelectorConfig> selector_configs() {
  SelectorConfig ours;
  SelectorConfig paper{.marks = Marks::kInside, .encoder = paper_encoder(64, 3, Positions::kLabel)};
  paper.encoder.dilations = {1, 1, 1};
  SelectorConfig full{.encoder = {.dim = 32, .layers = 2, .place_values = 4}};
  full.encoder.max_positions = 20'000;
  return {ours, paper, full};
}

TEST(SelectorNet, ARowDoesNotDependOnItsCompanions) {
  for (const SelectorConfig& config : selector_configs()) {
    const SelectorNet net(config, 20, 1);
    const torch::NoGradGuard no_grad;
    const std::vector<std::size_t> lengths{5, 1, 40, 13};
    const TokenRows together = token_rows(lengths);
    const Tensor all = net.forward(together);
    for (std::size_t r = 0; r < lengths.size(); ++r) {
      const Tensor alone = net.forward(token_rows({lengths[r]}, r));
      const Tensor among = all.narrow(0, together.packing.begin(static_cast<std::int64_t>(r)),
                                      static_cast<std::int64_t>(lengths[r]));
      EXPECT_LT((alone - among).abs().max().item<double>(), 1e-5);
    }
  }
}

TEST(SelectorNet, IsFiniteForOneTokenAndForTenThousand) {
  for (SelectorConfig config : selector_configs()) {
    if (config.encoder.dilations.empty()) config.encoder.heads = 1;  // full attention is quadratic
    const SelectorNet net(config, 20, 1);
    const torch::NoGradGuard no_grad;
    const std::size_t longest = config.encoder.dilations.empty() ? 2'000 : 10'000;
    for (const std::size_t length : {std::size_t{1}, longest}) {
      const Tensor logits = net.forward(token_rows({length}));
      EXPECT_EQ(logits.size(0), static_cast<std::int64_t>(length));
      EXPECT_TRUE(torch::isfinite(logits).all().item<bool>());
    }
  }
}

TEST(SelectorNet, SeesNoFurtherThanItsRadius) {
  const SelectorConfig config;
  const std::int64_t radius = *receptive_radius(config.encoder);
  const SelectorNet net(config, 20, 1);
  const torch::NoGradGuard no_grad;
  TokenRows rows = token_rows({200});
  const Tensor before = net.forward(rows);
  rows.ids[100] = rows.ids[100] == 4 ? 5 : 4;
  const Tensor changed = (net.forward(rows) - before).abs().amax(-1) > 0;
  const Tensor where = changed.nonzero().view({-1});
  EXPECT_EQ(where.min().item<std::int64_t>(), 100 - radius);
  EXPECT_EQ(where.max().item<std::int64_t>(), 100 + radius);
}

TEST(SelectorNet, LearnedPositionsRefuseARowThatIsTooLong) {
  SelectorConfig config{.encoder = {.dim = 8, .layers = 1, .max_positions = 10}};
  const SelectorNet net(config, 20, 1);
  EXPECT_NO_THROW(net.forward(token_rows({10})));
  EXPECT_THROW(net.forward(token_rows({3, 11})), Error);
}

std::vector<SolverConfig> solver_configs() {
  const SolverConfig ours;
  const SolverConfig paper{
      .shared_vocabulary = false,
      .encoder = paper_encoder(64, 2, Positions::kSinusoid),
      .decoder = {
          .ff_residual = false, .positions = Positions::kSinusoid, .positions_every_layer = true}};
  SolverConfig odd = paper;
  odd.encoder.norm = Norm::kPre;
  return {ours, paper, odd};
}

TEST(SolverNet, WritesCausallyAndRowByRow) {
  for (const SolverConfig& config : solver_configs()) {
    const SolverNet net(config, {20, 20}, 1);
    const torch::NoGradGuard no_grad;
    const TokenRows leaves = token_rows({5, 9, 1});
    TokenRows written = token_rows({4, 1, 6}, 10);
    const Tensor logits = net.forward(leaves, written);
    written.ids[3] = written.ids[3] == 4 ? 5 : 4;  // the last of row 0
    const Tensor changed = (net.forward(leaves, written) - logits).abs().amax(-1) > 0;
    for (std::int64_t i = 0; i < 11; ++i) EXPECT_EQ(changed[i].item<bool>(), i == 3) << i;
  }
}

TEST(SolverNet, GreedyWritingAgreesWithTheLogitsOfWhatItWrote) {
  const SolverNet net(SolverConfig{}, {20, 20}, 3);
  const TokenRows leaves = token_rows({5, 9, 1});
  const auto written = net.write_greedily(leaves, 6);
  TokenRows prefixes;
  std::vector<std::int32_t> targets;
  for (const auto& row : written) {
    std::vector<std::int32_t> prefix{kStartId};
    prefix.insert(prefix.end(), row.begin(), row.end() - 1);
    prefixes.add(prefix);
    targets.insert(targets.end(), row.begin(), row.end());
  }
  const RowLoss loss = row_loss(net.forward(leaves, prefixes), targets, prefixes.packing);
  EXPECT_EQ(loss.exact, std::vector<char>(3, 1));
}

TEST(SolverNet, DropoutIsSeededAndOffOutsideTraining) {
  SolverConfig config;
  config.encoder.dropout = 0.3;
  const SolverNet net(config, {20, 20}, 1);
  const torch::NoGradGuard no_grad;
  const TokenRows leaves = token_rows({5, 9}), written = token_rows({4, 2}, 10);
  const auto run = [&](Pass pass) { return net.forward(leaves, written, pass); };
  EXPECT_TRUE(run({}).equal(run({.seed = 9})));
  EXPECT_TRUE(run({true, 1}).equal(run({true, 1})));
  EXPECT_FALSE(run({true, 1}).equal(run({true, 2})));
  EXPECT_FALSE(run({true, 1}).equal(run({})));
}

// Two runs give the same gradients, bit for bit; and double precision takes the plain path.
TEST(SolverNet, GradientsAreDeterministicAndAgreeWithDoublePrecision) {
  const TokenRows leaves = token_rows({5, 9, 12, 3}), written = token_rows({4, 2, 3, 1}, 10);
  const std::vector<std::int32_t> targets{5, 6, 7, 2, 9, 2, 4, 8, 2, 2};
  for (const SolverConfig& config : solver_configs()) {
    const auto gradients = [&](torch::Dtype type) {
      SolverNet net(config, {20, 20}, 1);
      net.to(type);
      row_loss(net.forward(leaves, written), targets, written.packing).mean.backward();
      std::vector<Tensor> parts;
      for (const Tensor& parameter : net.parameters()) {
        parts.push_back(parameter.grad().reshape({-1}).to(torch::kDouble));
      }
      return torch::cat(parts);
    };
    const Tensor first = gradients(torch::kFloat);
    EXPECT_TRUE(first.equal(gradients(torch::kFloat)));
    const Tensor exact = gradients(torch::kDouble);
    EXPECT_LT((first - exact).norm().item<double>() / exact.norm().item<double>(), 1e-5);
  }
}

}  // namespace
}  // namespace nrs
