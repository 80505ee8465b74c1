// The runtime's Neural Data Router against the torch module: the same weights, the same answers.
#include <gtest/gtest.h>
#include <torch/types.h>

#include <cmath>

#include "learn/nets/router_net.h"
#include "random_model.h"
#include "random_router.h"
#include "runtime/router.h"

namespace nrs {
namespace {

TEST(RouterParity, SameAnswersAndLogProbabilities) {
  const torch::NoGradGuard no_grad;
  const nn::RouterConfig one{.dim = 32, .heads = 4, .layers = 6, .columns = 3};
  nn::RouterConfig other{.dim = 30, .heads = 3, .layers = 2, .run_layers = 5, .ff_mul = 4};
  other.readout = nn::Readout::kLast;
  for (const nn::RouterConfig& config : {one, other}) {
    const model::RouterModel model = random_router(config, 5);
    learn::RouterNet net(config, model.input.size(), model.output.size(), 1);
    for (auto& entry : net.named_parameters()) {
      const nn::Weights& from = model.weights.at("router." + entry.key());
      std::copy(from.values.begin(), from.values.end(), entry.value().data_ptr<float>());
    }
    const runtime::ModelRouter router(model);
    const learn::RouterBatcher batcher(config, model.input, model.output);
    Rng rng(6);
    for (std::size_t length = 1; length < 120; length += 7) {
      const std::string formula = random_text(length, kRouterAlphabet, rng);
      const runtime::RouterAnswer answer = router.answer(formula);
      learn::Batch batch;
      batcher.add({formula, answer.value}, batch);
      const torch::Tensor logits = net.forward(batch).log_softmax(-1);
      double expected = 0;
      const std::size_t said = std::min<std::size_t>(answer.value.size() + 1, batch.targets.size());
      for (std::size_t i = 0; i < said; ++i) {
        const auto row = static_cast<std::int64_t>(i);
        expected += logits[row][batch.targets[i]].item<double>();
      }
      // Only the matrix products differ, by the order of their sums.
      EXPECT_NEAR(answer.log_prob, expected, 5e-5) << formula;
    }
  }
}

}  // namespace
}  // namespace nrs
