#include "learn/nets/layers.h"

#include <torch/autograd.h>

#include <algorithm>
#include <cmath>

#include "learn/nets/initial_weights.h"
#include "nn/layers.h"
#include "nrs/error.h"

namespace nrs::learn {
namespace {

// Queries, keys and values start as one stacked matrix of 3D x D would by Xavier's rule.
double attention_bound(const nn::EncoderConfig& config) {
  return config.attention_gain * std::sqrt(6.0 / (4.0 * config.dim));
}

// At first a token takes an eighth of what is left, so that about as many are looked at.
constexpr float kFirstMatchBias = -2;

std::int32_t position_limit_hit(const nn::Packing& packing, int limit) {
  for (std::int64_t r = 0; r < packing.rows(); ++r) {
    if (packing.length(r) > limit) return static_cast<std::int32_t>(packing.length(r));
  }
  return 0;
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

FeedForward::FeedForward(const nn::EncoderConfig& config, Rng& rng)
    : activation_(config.activation) {
  const int hidden = config.dim * config.ff_mul;
  up_ = register_module("up", std::make_shared<Dense>(config.dim, hidden, rng));
  down_ = register_module("down", std::make_shared<Dense>(hidden, config.dim, rng));
}

Update FeedForward::forward(const torch::Tensor& x) const {
  return {feed_forward(x, {up_->weight, up_->bias, down_->weight}, activation_), down_->bias};
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
  if (place == nn::Norm::kPre) {
    const torch::Tensor normed = settle(stream, *norm, dropout);
    stream.update = function(normed);
    if (!residual) stream.sum = torch::Tensor();
  } else {
    stream.update = function(stream.sum);
    if (!residual) stream.sum = torch::Tensor();
    stream.sum = settle(stream, *norm, dropout);
  }
}

EncoderLayer::EncoderLayer(const nn::EncoderConfig& config, int dilation, Rng& rng) {
  attention_ = register_module(
      "attention", std::make_shared<SelfAttention>(config, dilation, /*causal=*/false, rng));
  feed_forward_ = register_module("feed_forward", std::make_shared<FeedForward>(config, rng));
  first_ = {config.norm, true, register_module("norm1", std::make_shared<LayerNorm>(config.dim))};
  second_ = {config.norm, true, register_module("norm2", std::make_shared<LayerNorm>(config.dim))};
}

void EncoderLayer::run(Stream& stream, const Rows& rows, Dropout& dropout) const {
  first_.run(stream, dropout, [&](const torch::Tensor& x) { return attention_->forward(x, rows); });
  second_.run(stream, dropout, [&](const torch::Tensor& x) { return feed_forward_->forward(x); });
}

DecoderLayer::DecoderLayer(const nn::SolverConfig& network, Rng& rng)
    : jitter_(network.cross == nn::Cross::kLastMatch ? network.jitter : 0) {
  const nn::EncoderConfig& config = network.encoder;
  attention_ = register_module(
      "attention", std::make_shared<SelfAttention>(config, /*dilation=*/0, /*causal=*/true, rng));
  cross_ = register_module("cross", std::make_shared<CrossAttention>(config, network.cross, rng));
  feed_forward_ = register_module("feed_forward", std::make_shared<FeedForward>(config, rng));
  const auto norm = [&](const char* name, bool residual) {
    return SubLayer{config.norm, residual,
                    register_module(name, std::make_shared<LayerNorm>(config.dim))};
  };
  first_ = norm("norm1", true);
  second_ = norm("norm2", true);
  third_ = norm("norm3", network.decoder.ff_residual);
}

void DecoderLayer::run(Stream& stream, const Rows& rows, const Memory& memory,
                       Dropout& dropout) const {
  first_.run(stream, dropout, [&](const torch::Tensor& x) { return attention_->forward(x, rows); });
  // In a long formula many tokens that do not match take a little each. Training with raised
  // scores teaches them to take even less than short formulas need.
  const double shift = dropout.shift(jitter_);
  second_.run(stream, dropout, [&](const torch::Tensor& x) {
    return cross_->forward(x, memory.values, {rows, memory.rows}, shift);
  });
  third_.run(stream, dropout, [&](const torch::Tensor& x) { return feed_forward_->forward(x); });
}

torch::Tensor sinusoids(int count, int dim) {
  torch::Tensor table = torch::empty({count, dim});
  nn::fill_sinusoids(count, dim, table.data_ptr<float>());
  return table;
}

PositionTable::PositionTable(const Options& options, Rng& rng) : options_(options) {
  if (options.kind == nn::Positions::kLearned) {
    weight_ = register_parameter("weight",
                                 normal_tensor({options.rows, options.dim}, options.spread, rng));
  } else if (options.kind != nn::Positions::kNone) {
    weight_ = register_buffer("table", sinusoids(options.rows, options.dim));
  }
}

TableLookup PositionTable::lookup(const nn::TokenRows& rows, int layer) const {
  const nn::Packing& packing = rows.packing;
  torch::Tensor index = torch::empty({packing.tokens()}, torch::kInt32);
  auto* to = index.data_ptr<std::int32_t>();
  if (options_.kind == nn::Positions::kLabel) {
    for (std::int64_t r = 0; r < packing.rows(); ++r) {
      Rng rng(rows.seeds.at(static_cast<std::size_t>(r)), static_cast<std::uint64_t>(layer));
      nn::draw_labels(options_.rows, rng,
                      {to + packing.begin(r), static_cast<std::size_t>(packing.length(r))});
    }
    return {weight_, index};
  }
  if (const std::int32_t length = position_limit_hit(packing, options_.rows); length > 0) {
    throw Error(ErrorKind::kInput, "a row of " + std::to_string(length) +
                                       " tokens; the network has " + std::to_string(options_.rows) +
                                       " positions");
  }
  for (std::int64_t r = 0; r < packing.rows(); ++r) {
    for (std::int64_t i = packing.begin(r); i < packing.end(r); ++i) {
      to[i] = static_cast<std::int32_t>(i - packing.begin(r));
    }
  }
  return {weight_, index};
}

}  // namespace nrs::learn
