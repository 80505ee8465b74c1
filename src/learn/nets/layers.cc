#include "learn/nets/layers.h"

#include <torch/autograd.h>

#include <cmath>
#include <numbers>

namespace nrs::learn {
namespace {

// Queries, keys and values start as one stacked matrix of 3D x D would by Xavier's rule.
double attention_bound(const nn::EncoderConfig& config) {
  return config.attention_gain * std::sqrt(6.0 / (4.0 * config.dim));
}

// At first a token takes an eighth of what is left, so that about as many are looked at.
constexpr float kFirstMatchBias = -2;

std::shared_ptr<FeedForward> feed_forward_of(const nn::EncoderConfig& config, Rng& rng) {
  return std::make_shared<FeedForward>(config.dim, config.dim * config.ff_mul, config.activation,
                                       rng);
}

}  // namespace

torch::Tensor Dropout::operator()(const torch::Tensor& x) {
  if (!active()) return x;
  return seeded_dropout(x, share_, mix(seed_, ++calls_), first_token_ * x.size(1));
}

double Dropout::shift(double most) {
  if (!training_ || most == 0) return 0;
  return most * Rng(seed_, ++calls_).uniform();
}

torch::Tensor uniform_tensor(const std::vector<std::int64_t>& shape, double bound, Rng& rng) {
  torch::Tensor tensor = torch::empty(shape);
  auto* to = tensor.data_ptr<float>();
  for (std::int64_t i = 0; i < tensor.numel(); ++i) {
    to[i] = static_cast<float>(bound * (2 * rng.uniform() - 1));
  }
  return tensor;
}

torch::Tensor normal_tensor(const std::vector<std::int64_t>& shape, double spread, Rng& rng) {
  torch::Tensor tensor = torch::empty(shape);
  auto* to = tensor.data_ptr<float>();
  for (std::int64_t i = 0; i < tensor.numel(); ++i) {  // Box and Muller
    const double radius = std::sqrt(-2 * std::log(1 - rng.uniform()));
    const double angle = 2 * std::numbers::pi * rng.uniform();
    to[i] = static_cast<float>(spread * radius * std::cos(angle));
  }
  return tensor;
}

Dense::Dense(int in, int out, Rng& rng) {
  const double bound = 1 / std::sqrt(static_cast<double>(in));
  weight = register_parameter("weight", uniform_tensor({out, in}, bound, rng));
  bias = register_parameter("bias", uniform_tensor({out}, bound, rng));
}

void Dense::start(double bound, Rng& rng) {
  const torch::NoGradGuard no_grad;
  weight.copy_(uniform_tensor(weight.sizes().vec(), bound, rng));
  bias.zero_();
}

torch::Tensor Dense::forward(const torch::Tensor& x) const {
  return torch::linear(x, weight, bias);
}

LayerNorm::LayerNorm(int dim) {
  weight = register_parameter("weight", torch::ones({dim}));
  bias = register_parameter("bias", torch::zeros({dim}));
}

SelfAttention::SelfAttention(const nn::EncoderConfig& config, int dilation, bool causal, Rng& rng)
    : shape_{config.heads, causal, dilation > 0 ? config.window : 0, dilation} {
  in_ = register_module("in", std::make_shared<Dense>(config.dim, 3 * config.dim, rng));
  in_->start(attention_bound(config), rng);
  out_ = register_module("out", std::make_shared<Dense>(config.dim, config.dim, rng));
  if (dilation > 0 && config.relative_slots) {
    const int slots = 2 * config.window + 1;
    slot_bias_ = register_parameter("slot_bias", normal_tensor({slots, config.heads}, 0.5, rng));
    slot_value_ = register_parameter("slot_value", normal_tensor({slots, config.dim}, 0.2, rng));
  }
}

Update SelfAttention::forward(const torch::Tensor& x, const Rows& rows) const {
  return {self_attention(x, {in_->weight, in_->bias, out_->weight, slot_bias_, slot_value_}, rows,
                         shape_),
          out_->bias};
}

CrossAttention::CrossAttention(const nn::EncoderConfig& config, nn::Cross cross, Rng& rng)
    : heads_(config.heads) {
  const double bound = attention_bound(config);
  query_ = register_module("query", std::make_shared<Dense>(config.dim, config.dim, rng));
  query_->start(bound, rng);
  memory_ = register_module("memory", std::make_shared<Dense>(config.dim, 2 * config.dim, rng));
  memory_->start(bound, rng);
  out_ = register_module("out", std::make_shared<Dense>(config.dim, config.dim, rng));
  if (cross == nn::Cross::kLastMatch) {
    match_bias_ = register_parameter("match_bias", torch::full({config.heads}, kFirstMatchBias));
  }
}

Update CrossAttention::forward(const torch::Tensor& x, const torch::Tensor& memory,
                               const CrossRows& rows, double shift) const {
  const bool shifted = match_bias_.defined() && shift != 0;
  const CrossAttentionWeights weights{query_->weight,  query_->bias,
                                      memory_->weight, memory_->bias,
                                      out_->weight,    shifted ? match_bias_ + shift : match_bias_};
  return {cross_attention(x, memory, weights, rows, heads_), out_->bias};
}

FeedForward::FeedForward(int dim, int hidden, nn::Activation function, Rng& rng)
    : activation(function) {
  up = register_module("up", std::make_shared<Dense>(dim, hidden, rng));
  down = register_module("down", std::make_shared<Dense>(hidden, dim, rng));
}

Update FeedForward::forward(const torch::Tensor& x) const {
  return {feed_forward(x, {up->weight, up->bias, down->weight}, activation), down->bias};
}

torch::Tensor settle(Stream& stream, const LayerNorm& norm, Dropout& dropout) {
  AddNormInput input{stream.sum, stream.update.values, stream.update.bias, norm.weight, norm.bias};
  if (dropout.active() && input.update.defined()) {
    input.update = dropout(input.update + input.bias);
    input.bias = torch::Tensor();
  }
  const AddNormOutput output = add_norm(input);
  stream = {output.sum, {}};
  return output.normed;
}

void SubLayer::run(Stream& stream, Dropout& dropout, const Function& function) const {
  const bool before = place == nn::Norm::kPre;
  stream.update = function(before ? settle(stream, *norm, dropout) : stream.sum);
  if (!residual) stream.sum = torch::Tensor();
  if (!before) stream.sum = settle(stream, *norm, dropout);
}

SubLayer Layer::sub_layer(const char* norm, const nn::EncoderConfig& config, bool residual) {
  return {config.norm, residual, register_module(norm, std::make_shared<LayerNorm>(config.dim))};
}

Layer::Layer(const nn::EncoderConfig& config, int dilation, Rng& rng) {
  attention_ = register_module(
      "attention", std::make_shared<SelfAttention>(config, dilation, /*causal=*/false, rng));
  feed_forward_ = register_module("feed_forward", feed_forward_of(config, rng));
  first_ = sub_layer("norm1", config);
  last_ = sub_layer("norm2", config);
}

Layer::Layer(const nn::SolverConfig& network, Rng& rng)
    : jitter_(network.cross == nn::Cross::kLastMatch ? network.jitter : 0) {
  const nn::EncoderConfig& config = network.encoder;
  attention_ = register_module(
      "attention", std::make_shared<SelfAttention>(config, /*dilation=*/0, /*causal=*/true, rng));
  cross_ = register_module("cross", std::make_shared<CrossAttention>(config, network.cross, rng));
  feed_forward_ = register_module("feed_forward", feed_forward_of(config, rng));
  first_ = sub_layer("norm1", config);
  second_ = sub_layer("norm2", config);
  last_ = sub_layer("norm3", config, network.decoder.ff_residual);
}

void Layer::run(Stream& stream, const Rows& rows, const Memory& memory, Dropout& dropout) const {
  first_.run(stream, dropout, [&](const torch::Tensor& x) { return attention_->forward(x, rows); });
  if (cross_) {
    // In a long formula many tokens that do not match take a little each. Training with raised
    // scores teaches them to take even less than short formulas need.
    const double shift = dropout.shift(jitter_);
    second_.run(stream, dropout, [&](const torch::Tensor& x) {
      return cross_->forward(x, memory.values, {rows, memory.rows}, shift);
    });
  }
  last_.run(stream, dropout, [&](const torch::Tensor& x) { return feed_forward_->forward(x); });
}

}  // namespace nrs::learn
