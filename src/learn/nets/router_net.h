#pragma once
// The Neural Data Router as a torch module (nn/config.h says what it is).
#include <torch/nn/module.h>
#include <torch/types.h>

#include <cstdint>
#include <memory>

#include "learn/examples/batches.h"
#include "learn/nets/layers.h"
#include "nn/config.h"

namespace nrs::learn {

class RouterAttention : public torch::nn::Module {
 public:
  RouterAttention(const nn::RouterConfig& config, Rng& rng);
  // x [N, D] -> [N, D]
  torch::Tensor forward(const torch::Tensor& x, const Rows& rows, Dropout& of_keys) const;

 private:
  int dim_, heads_;
  torch::Tensor in_;          // [3D + 2H, D]
  torch::Tensor query_bias_;  // [D]
  torch::Tensor side_bias_;   // [2H]: right, then left
  torch::Tensor scale_;       // [3]
  torch::Tensor out_;         // [D, D]
};

class RouterNet : public torch::nn::Module {
 public:
  // The vocabularies are the sizes of the tokenizers. The seed fixes the first weights.
  RouterNet(const nn::RouterConfig& config, int input_vocabulary, int output_vocabulary,
            std::uint64_t seed);

  // Returns the logits of the answers, [M, V].
  torch::Tensor forward(const Batch& batch, Pass pass = {}) const;

  const nn::RouterConfig& config() const { return config_; }

 private:
  struct Drops;
  torch::Tensor run_layer(const torch::Tensor& x, const Rows& rows, Drops& drops) const;

  nn::RouterConfig config_;
  torch::Tensor embedding_;  // [V + 2, D]
  std::shared_ptr<RouterAttention> attention_;
  std::shared_ptr<FeedForward> feed_forward_, gate_;
  std::shared_ptr<LayerNorm> norm1_, norm2_;
  std::shared_ptr<Dense> head_;
};

}  // namespace nrs::learn
