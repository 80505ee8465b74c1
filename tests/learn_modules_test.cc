// The networks: their parameters, and the laws that they keep.
#include <gtest/gtest.h>
#include <torch/types.h>

#include <vector>

#include "learn/nets/nets.h"
#include "learn/train/workers.h"
#include "model/tokenizer.h"
#include "nrs/error.h"
#include "plain_nets.h"
#include "plain_twins.h"

namespace nrs::nn {
namespace {

using torch::Tensor;

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
    EXPECT_EQ(parameters(learn::SelectorNet(config, net.input, 1)), net.parameters);
    return;
  }
  const SolverConfig config{.shared_vocabulary = false,
                            .encoder = paper_encoder(net.dim, net.encoder, Positions::kSinusoid),
                            .decoder = {.layers = net.decoder,
                                        .ff_residual = false,
                                        .positions = Positions::kSinusoid,
                                        .positions_every_layer = true,
                                        .direction = Direction::kLeftToRight}};
  EXPECT_EQ(parameters(learn::SolverNet(config, {net.input, net.output}, 1)), net.parameters);
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
    const learn::SelectorNet net(config, 20, 1);
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
    const learn::SelectorNet net(config, 20, 1);
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
  const learn::SelectorNet net(config, 20, 1);
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
  const learn::SelectorNet net(config, 20, 1);
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
    const learn::SolverNet net(config, {20, 20}, 1);
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
  const learn::SolverNet net(SolverConfig{}, {20, 20}, 3);
  const TokenRows leaves = token_rows({5, 9, 1});
  const auto written = net.write_greedily(leaves, 6);
  TokenRows prefixes;
  std::vector<std::int32_t> targets;
  for (const auto& row : written) {
    std::vector<std::int32_t> prefix{model::kStartId};
    prefix.insert(prefix.end(), row.begin(), row.end() - 1);
    prefixes.add(prefix);
    targets.insert(targets.end(), row.begin(), row.end());
  }
  const learn::RowLoss loss =
      learn::row_loss(net.forward(leaves, prefixes), targets, prefixes.packing);
  EXPECT_EQ(loss.exact, std::vector<char>(3, 1));
}

TEST(SolverNet, DropoutIsSeededAndOffOutsideTraining) {
  SolverConfig config;
  config.encoder.dropout = 0.3;
  const learn::SolverNet net(config, {20, 20}, 1);
  const torch::NoGradGuard no_grad;
  const TokenRows leaves = token_rows({5, 9}), written = token_rows({4, 2}, 10);
  const auto run = [&](learn::Pass pass) { return net.forward(leaves, written, pass); };
  EXPECT_TRUE(run({}).equal(run({.seed = 9})));
  EXPECT_TRUE(run({true, 1}).equal(run({true, 1})));
  EXPECT_FALSE(run({true, 1}).equal(run({true, 2})));
  EXPECT_FALSE(run({true, 1}).equal(run({})));
}

TEST(SolverNet, JitterIsSeededAndOffOutsideTraining) {
  SolverConfig config;
  config.cross = Cross::kLastMatch;
  config.jitter = 3;
  const learn::SolverNet net(config, {20, 20}, 1);
  config.jitter = 0;
  const learn::SolverNet still(config, {20, 20}, 1);
  const torch::NoGradGuard no_grad;
  const TokenRows leaves = token_rows({5, 9}), written = token_rows({4, 2}, 10);
  const auto run = [&](const learn::SolverNet& one, learn::Pass pass) {
    return one.forward(leaves, written, pass);
  };
  EXPECT_TRUE(run(net, {}).equal(run(still, {true, 1})));
  EXPECT_TRUE(run(net, {true, 1}).equal(run(net, {true, 1})));
  EXPECT_FALSE(run(net, {true, 1}).equal(run(net, {true, 2})));
  EXPECT_FALSE(run(net, {true, 1}).equal(run(net, {})));
}

// Two runs give the same gradients, bit for bit; and nearly those of plain operations in double
// precision.
TEST(SolverNet, GradientsAreDeterministicAndAgreeWithDoublePrecision) {
  const learn::Workers alone(
      1);  // as in training: sums that several threads share out differ in rounding
  const TokenRows leaves = token_rows({5, 9, 12, 3}), written = token_rows({4, 2, 3, 1}, 10);
  const std::vector<std::int32_t> targets{5, 6, 7, 2, 9, 2, 4, 8, 2, 2};
  for (const SolverConfig& config : solver_configs()) {
    const learn::SolverNet net(config, {20, 20}, 1);
    const auto gradients = [&] {
      const learn::SolverNet same(config, {20, 20}, 1);
      learn::row_loss(same.forward(leaves, written), targets, written.packing).mean.backward();
      return learn::reference::gradient_of(same.named_parameters());
    };
    const Tensor first = gradients();
    EXPECT_TRUE(first.equal(gradients()));
    const auto weights = learn::reference::weights_of(net, torch::kDouble);
    const Tensor logits = learn::reference::solver_logits(weights, config, leaves, written);
    learn::reference::token_loss(logits, torch::tensor(targets)).mean.backward();
    const Tensor exact = learn::reference::gradient_of(weights);
    EXPECT_LT((first - exact).norm().item<double>() / exact.norm().item<double>(), 1e-5);
    EXPECT_TRUE(
        torch::allclose(net.forward(leaves, written), logits.to(torch::kFloat), 1e-4, 1e-4));
  }
}

}  // namespace
}  // namespace nrs::nn
