#include "learn/nets/coders.h"

#include <torch/autograd.h>

#include <algorithm>
#include <string>

#include "learn/nets/initial_weights.h"

namespace nrs::learn {
namespace {

torch::Tensor tensor_of(const std::vector<std::int32_t>& values) {
  torch::Tensor tensor = torch::empty({static_cast<std::int64_t>(values.size())}, torch::kInt32);
  std::copy(values.begin(), values.end(), tensor.data_ptr<std::int32_t>());
  return tensor;
}

// Row 0 is padding's. It is never looked up; zero, as in the paper's models.
torch::Tensor first_embedding(int vocabulary, const nn::EncoderConfig& config, Rng& rng) {
  torch::Tensor table = normal_tensor({vocabulary, config.dim}, config.embedding_std, rng);
  table[0].zero_();
  return table;
}

// Adds the positions of a layer to the stream, its pending update included.
void add_positions(Stream& stream, const TableLookup& lookup, Dropout& dropout) {
  torch::Tensor sum = stream.sum;
  if (stream.update.values.defined()) {
    const torch::Tensor update = dropout(stream.update.values + stream.update.bias);
    sum = sum.defined() ? sum + update : update;
  }
  stream = {sum + dropout(embed({lookup})), {}};
}

}  // namespace

Encoder::Encoder(const nn::EncoderConfig& config, int vocabulary, Rng& rng) : config_(config) {
  embedding_ = register_parameter("embedding", first_embedding(vocabulary, config, rng));
  if (config.place_values > 0) {
    places_ = register_parameter(
        "places", normal_tensor({config.place_values + 1, config.dim}, config.embedding_std, rng));
  }
  const bool labels = config.positions == nn::Positions::kLabel;
  positions_ = register_module(
      "positions", std::make_shared<PositionTable>(
                       PositionTable::Options{config.positions, config.dim,
                                              labels ? config.label_range : config.max_positions,
                                              config.embedding_std},
                       rng));
  for (int i = 0; i < config.layers; ++i) {
    const int dilation = config.dilations.empty() ? 0 : config.dilations[i];
    layers_.push_back(register_module("layer" + std::to_string(i),
                                      std::make_shared<EncoderLayer>(config, dilation, rng)));
  }
  if (config.norm == nn::Norm::kPre) {
    norm_ = register_module("norm", std::make_shared<LayerNorm>(config.dim));
  }
}

Stream Encoder::read(const nn::TokenRows& tokens) const {
  std::vector<TableLookup> lookups{{embedding_, tensor_of(tokens.ids)}};
  if (places_.defined()) {
    std::vector<std::int32_t> places = tokens.places;
    for (std::int32_t& place : places) place = std::min(place, config_.place_values);
    lookups.push_back({places_, tensor_of(places)});
  }
  if (!positions_->none() && !config_.positions_every_layer) {
    lookups.push_back(positions_->lookup(tokens, /*layer=*/0));
  }
  return {embed(lookups), {}};
}

torch::Tensor Encoder::forward(const nn::TokenRows& tokens, const Rows& rows,
                               Dropout& dropout) const {
  dropout.begin_at(tokens.first_token);
  Stream stream = read(tokens);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    if (!positions_->none() && config_.positions_every_layer) {
      add_positions(stream, positions_->lookup(tokens, static_cast<int>(i)), dropout);
    }
    layers_[i]->run(stream, rows, dropout);
  }
  return norm_ ? settle(stream, *norm_, dropout) : stream.sum;
}

Decoder::Decoder(const nn::SolverConfig& config, int vocabulary, Rng& rng)
    : config_(config.decoder) {
  const nn::EncoderConfig& shape = config.encoder;
  if (vocabulary > 0) {
    embedding_ = register_parameter("embedding", first_embedding(vocabulary, shape, rng));
  }
  positions_ = register_module(
      "positions", std::make_shared<PositionTable>(
                       PositionTable::Options{config_.positions, shape.dim, config_.max_length,
                                              shape.embedding_std},
                       rng));
  for (int i = 0; i < config_.layers; ++i) {
    layers_.push_back(
        register_module("layer" + std::to_string(i), std::make_shared<DecoderLayer>(config, rng)));
  }
  if (shape.norm == nn::Norm::kPre) {
    norm_ = register_module("norm", std::make_shared<LayerNorm>(shape.dim));
  }
}

torch::Tensor Decoder::forward(const Inputs& inputs, Dropout& dropout) const {
  const Rows rows = std::make_shared<const nn::Packing>(inputs.written.packing);
  dropout.begin_at(inputs.written.first_token);
  std::vector<TableLookup> lookups{
      {embedding_.defined() ? embedding_ : inputs.table, tensor_of(inputs.written.ids)}};
  const bool positions = !positions_->none();
  if (positions && !config_.positions_every_layer) {
    lookups.push_back(positions_->lookup(inputs.written, /*layer=*/0));
  }
  Stream stream{embed(lookups), {}};
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    if (positions && config_.positions_every_layer) {
      add_positions(stream, positions_->lookup(inputs.written, static_cast<int>(i)), dropout);
    }
    layers_[i]->run(stream, rows, inputs.memory, dropout);
  }
  return norm_ ? settle(stream, *norm_, dropout) : stream.sum;
}

}  // namespace nrs::learn
