#include "learn/nets/router_net.h"

#include <torch/autograd.h>

#include <algorithm>
#include <cmath>

#include "model/networks.h"

namespace nrs::learn {
namespace {

using torch::Tensor;

// Gates begin nearly closed: at first a layer copies.
constexpr double kFirstGateBias = -3;
// Gains by which the first weights before an activation are larger.
const double kReluGain = std::sqrt(2.0);
constexpr double kTanhGain = 5.0 / 3.0;

double xavier(double gain, int in, int out) {
  return gain * std::sqrt(6.0 / (in + out));
}

std::shared_ptr<FeedForward> feed_forward_of(int dim, int hidden, double up_gain, double down_gain,
                                             Rng& rng) {
  auto made = std::make_shared<FeedForward>(dim, hidden, nn::Activation::kRelu, rng);
  const torch::NoGradGuard no_grad;
  made->up->weight.copy_(uniform_tensor({hidden, dim}, xavier(up_gain, dim, hidden), rng));
  made->down->weight.copy_(uniform_tensor({dim, hidden}, xavier(down_gain, hidden, dim), rng));
  return made;
}

// With dropout of what is between the two layers.
Update run(const FeedForward& layers, const Tensor& x, Dropout& dropout) {
  if (!dropout.active()) return layers.forward(x);
  const Tensor between = dropout(torch::relu(layers.up->forward(x)));
  return {torch::linear(between, layers.down->weight), layers.down->bias};
}

}  // namespace

RouterAttention::RouterAttention(const nn::RouterConfig& config, Rng& rng)
    : dim_(config.dim), heads_(config.heads) {
  const int width = dim_ / heads_, sides = 2 * heads_;
  const double side_bound = 1 / std::sqrt(static_cast<double>(dim_));
  const double bound = xavier(1, dim_, width);
  in_ = register_parameter("in", torch::cat({uniform_tensor({3 * dim_, dim_}, bound, rng),
                                             uniform_tensor({sides, dim_}, side_bound, rng)}));
  query_bias_ = register_parameter("query_bias", torch::zeros({dim_}));
  side_bias_ = register_parameter("side_bias", uniform_tensor({sides}, side_bound, rng));
  scale_ = register_parameter(
      "scale", torch::tensor({static_cast<float>(1 / std::sqrt(width)), 1.0F, 0.0F}));
  out_ = register_parameter("out", uniform_tensor({dim_, dim_}, bound, rng));
}

Tensor RouterAttention::forward(const Tensor& x, const Rows& rows, Dropout& of_keys) const {
  const Tensor bias =
      torch::cat({query_bias_, torch::zeros({2 * dim_}, query_bias_.options()), side_bias_});
  Tensor projected = torch::addmm(bias, x, in_.t());
  if (of_keys.active()) {
    const auto parts = projected.split_with_sizes({dim_, dim_, dim_ + 2 * heads_}, 1);
    projected = torch::cat({parts[0], of_keys(parts[1].contiguous()), parts[2]}, 1);
  }
  return torch::mm(geometric_attention(projected, scale_, rows, heads_), out_.t());
}

RouterNet::RouterNet(const nn::RouterConfig& config, int input_vocabulary, int output_vocabulary,
                     std::uint64_t seed)
    : config_(config) {
  model::check(config);
  Rng rng(seed);
  const int dim = config.dim;
  embedding_ = register_parameter("embedding", normal_tensor({input_vocabulary + 2, dim}, 1, rng));
  attention_ = register_module("attention", std::make_shared<RouterAttention>(config, rng));
  feed_forward_ = register_module(
      "feed_forward", feed_forward_of(dim, dim * config.ff_mul, kReluGain, kTanhGain, rng));
  gate_ = register_module("gate", feed_forward_of(dim, dim, kReluGain, 1, rng));
  {
    const torch::NoGradGuard no_grad;
    gate_->down->bias.fill_(kFirstGateBias);
  }
  norm1_ = register_module("norm1", std::make_shared<LayerNorm>(dim));
  norm2_ = register_module("norm2", std::make_shared<LayerNorm>(dim));
  head_ = register_module("head", std::make_shared<Dense>(dim, output_vocabulary, rng));
}

// Fresh masks in every use of the layer.
struct RouterNet::Drops {
  Dropout values, keys, gates;

  Drops(const nn::RouterConfig& config, Pass pass, std::int64_t first)
      : values(config.dropout, {pass.training, mix(pass.seed, 1)}),
        keys(config.key_dropout, {pass.training, mix(pass.seed, 2)}),
        gates(config.gate_dropout, {pass.training, mix(pass.seed, 3)}) {
    for (Dropout* one : {&values, &keys, &gates}) one->begin_at(first);
  }
};

Tensor RouterNet::run_layer(const Tensor& x, const Rows& rows, Drops& drops) const {
  const Tensor found = drops.values(attention_->forward(x, rows, drops.keys));
  const Tensor a = add_norm({x, found, {}, norm1_->weight, norm1_->bias}).normed;
  const Update made = run(*feed_forward_, a, drops.values);
  const Tensor c = add_norm({{}, made.values, made.bias, norm2_->weight, norm2_->bias}).normed;
  const Update gate = run(*gate_, a, drops.values);
  const Tensor next = gated(x, c, gate.values + gate.bias);
  if (!drops.gates.active()) return next;
  // Whole columns are left as they are.
  return torch::lerp(x, next, drops.gates(torch::ones({x.size(0), 1}, x.options())).sign());
}

Tensor RouterNet::forward(const Batch& batch, Pass pass) const {
  const Rows rows = std::make_shared<const nn::Packing>(batch.read.packing);
  Drops drops(config_, pass, batch.read.first_token);
  Tensor x = embed({{embedding_, torch::tensor(batch.read.ids, torch::kInt32)}});
  const int layers = pass.training ? config_.layers : config_.layers_to_run();
  for (int i = 0; i < layers; ++i) x = run_layer(x, rows, drops);
  return head_->forward(x.index_select(0, torch::tensor(batch.at, torch::kInt32)));
}

}  // namespace nrs::learn
