#include "plain_nets.h"

#include <torch/types.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "nn/layers.h"
#include "plain_twins.h"

namespace nrs::learn::reference {
namespace {

using torch::Tensor;

Rows rows_of(const nn::TokenRows& tokens) {
  return std::make_shared<const nn::Packing>(tokens.packing);
}

Tensor indices(const std::vector<std::int32_t>& values) {
  return torch::tensor(values, torch::kInt32);
}

// Weights whose names begin alike.
struct Part {
  const Weights& weights;
  std::string prefix;

  Part operator[](const std::string& name) const { return {weights, prefix + name + "."}; }
  // Undefined if there is no such weight.
  Tensor at(const std::string& name) const {
    const Tensor* found = weights.find(prefix + name);
    return found == nullptr ? Tensor() : *found;
  }
  Tensor weight() const { return at("weight"); }
  Tensor bias() const { return at("bias"); }
  Tensor dense(const Tensor& x) const { return torch::linear(x, weight(), bias()); }
  Tensor norm(const Tensor& x) const { return add_norm({x, {}, {}, weight(), bias()}).normed; }
  Tensor feed_forward(const Tensor& x, nn::Activation activation) const {
    const Part up = (*this)["up"], down = (*this)["down"];
    return reference::feed_forward(x, {up.weight(), up.bias(), down.weight()}, activation) +
           down.bias();
  }
};

// An encoder, or with a memory a decoder.
struct Coder {
  Part part;
  const nn::EncoderConfig& config;
  int layers;
  nn::Positions positions;
  bool positions_every_layer;
  bool ff_residual = true;
  Tensor memory{};
  Rows memory_rows{};

  template <class Function>
  Tensor sub_layer(const Tensor& x, const Part& norm, bool residual, Function function) const {
    const bool before = config.norm == nn::Norm::kPre;
    const Tensor made = function(before ? norm.norm(x) : x), sum = residual ? x + made : made;
    return before ? sum : norm.norm(sum);
  }

  Tensor self(const Tensor& x, const Part& attention, const Rows& rows) const {
    const Part in = attention["in"], out = attention["out"];
    const bool causal = memory.defined();
    return self_attention(x, {in.weight(), in.bias(), out.weight(), {}, {}}, rows,
                          {config.heads, causal, 0, 0}) +
           out.bias();
  }

  Tensor cross(const Tensor& x, const Part& attention, const Rows& rows) const {
    const Part query = attention["query"], keys = attention["memory"], out = attention["out"];
    return cross_attention(x, memory,
                           {query.weight(), query.bias(), keys.weight(), keys.bias(), out.weight(),
                            attention.at("match_bias")},
                           {rows, memory_rows}, config.heads) +
           out.bias();
  }

  Tensor layer(Tensor x, const Part& layer, const Rows& rows) const {
    x = sub_layer(x, layer["norm1"], true,
                  [&](const Tensor& y) { return self(y, layer["attention"], rows); });
    if (memory.defined()) {
      x = sub_layer(x, layer["norm2"], true,
                    [&](const Tensor& y) { return cross(y, layer["cross"], rows); });
    }
    return sub_layer(
        x, layer[memory.defined() ? "norm3" : "norm2"], ff_residual,
        [&](const Tensor& y) { return layer["feed_forward"].feed_forward(y, config.activation); });
  }

  Tensor position_vectors(const nn::Packing& packing) const {
    std::vector<std::int32_t> places;
    for (std::int64_t r = 0; r < packing.rows(); ++r) {
      for (std::int64_t i = 0; i < packing.length(r); ++i) {
        places.push_back(static_cast<std::int32_t>(i));
      }
    }
    Tensor table = part["positions"].weight();
    if (positions == nn::Positions::kSinusoid) {
      table = torch::empty({*std::max_element(places.begin(), places.end()) + 1, config.dim});
      nn::fill_sinusoids(static_cast<int>(table.size(0)), config.dim, table.data_ptr<float>());
    }
    return embed({{table, indices(places)}});
  }

  // embedding [V, D]
  Tensor forward(const nn::TokenRows& tokens, const Tensor& embedding) const {
    const Rows rows = rows_of(tokens);
    const Tensor places = position_vectors(tokens.packing);
    Tensor x = embed({{embedding, indices(tokens.ids)}});
    if (const Tensor table = part.at("places"); table.defined()) {
      const int most = static_cast<int>(table.size(0)) - 1;
      x = x + embed({{table, indices(tokens.places).clamp_max(most)}});
    }
    for (int i = 0; i < layers; ++i) {
      if (i == 0 || positions_every_layer) x = x + places;
      x = layer(x, part["layer" + std::to_string(i)], rows);
    }
    return config.norm == nn::Norm::kPre ? part["norm"].norm(x) : x;
  }
};

}  // namespace

Weights weights_of(const torch::nn::Module& net, torch::Dtype type) {
  Weights weights;
  for (const auto& item : net.named_parameters()) {
    weights.insert(item.key(), item.value().detach().to(type, false, true).requires_grad_());
  }
  return weights;
}

Tensor gradient_of(const Weights& weights) {
  std::vector<Tensor> parts;
  for (const auto& item : weights) {
    parts.push_back(item.value().grad().reshape({-1}).to(torch::kDouble));
  }
  return torch::cat(parts);
}

Tensor solver_logits(const Weights& weights, const nn::SolverConfig& config,
                     const nn::TokenRows& leaves, const nn::TokenRows& written) {
  const Part all{weights, ""};
  const nn::EncoderConfig& shape = config.encoder;
  const Coder encoder{all["encoder"], shape, shape.layers, shape.positions,
                      shape.positions_every_layer};
  const Tensor embedding = all["encoder"].at("embedding"), own = all["decoder"].at("embedding");
  const Coder decoder{all["decoder"],
                      shape,
                      config.decoder.layers,
                      config.decoder.positions,
                      config.decoder.positions_every_layer,
                      config.decoder.ff_residual,
                      encoder.forward(leaves, embedding),
                      rows_of(leaves)};
  return all["head"].dense(decoder.forward(written, own.defined() ? own : embedding));
}

Tensor router_logits(const Weights& weights, const nn::RouterConfig& config, const Batch& batch) {
  const Part all{weights, ""}, attention = all["attention"];
  const Tensor query_bias = attention.at("query_bias");
  const Tensor bias = torch::cat(
      {query_bias, torch::zeros_like(query_bias).repeat({2}), attention.at("side_bias")});
  const Rows rows = rows_of(batch.read);
  Tensor x = embed({{all.at("embedding"), indices(batch.read.ids)}});
  for (int i = 0; i < config.layers; ++i) {
    const Tensor found = geometric_attention(torch::linear(x, attention.at("in"), bias),
                                             attention.at("scale"), rows, config.heads);
    const Tensor a = all["norm1"].norm(x + torch::linear(found, attention.at("out")));
    const Tensor made = all["feed_forward"].feed_forward(a, nn::Activation::kRelu);
    const Tensor gate = all["gate"].feed_forward(a, nn::Activation::kRelu);
    x = gated(x, all["norm2"].norm(made), gate);
  }
  return all["head"].dense(x.index_select(0, indices(batch.at)));
}

}  // namespace nrs::learn::reference
