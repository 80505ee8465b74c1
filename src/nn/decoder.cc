#include "nn/decoder.h"

#include <algorithm>
#include <bit>

namespace nrs::nn {

Decoder::Layer::Layer(const SolverConfig& config, const WeightReader& weights)
    : in(weights.matrix("attention.in")),
      out(weights.matrix("attention.out")),
      query(weights.matrix("cross.query")),
      memory(weights.matrix("cross.memory")),
      cross_out(weights.matrix("cross.out")),
      match_bias(weights.values("cross.match_bias")),
      feed_forward(config.encoder.activation, weights.part("feed_forward")),
      first{config.encoder.norm, true, LayerNorm(weights.part("norm1"))},
      second{config.encoder.norm, true, LayerNorm(weights.part("norm2"))},
      third{config.encoder.norm, config.decoder.ff_residual, LayerNorm(weights.part("norm3"))} {}

Decoder::Decoder(const SolverConfig& config, const WeightReader& weights, const Table& shared)
    : config_(config), head_(weights.matrix("head")) {
  const WeightReader own = weights.part("decoder");
  const int dim = config.encoder.dim;
  embedding_ = own.has("embedding") ? Table(own.values("embedding"), dim) : shared;
  positions_ = position_table(config.decoder.positions, config.decoder.max_length, dim, own);
  for (int i = 0; i < config.decoder.layers; ++i) {
    layers_.emplace_back(config, own.part("layer" + std::to_string(i)));
  }
  if (config.encoder.norm == Norm::kPre) norm_.emplace(own.part("norm"));
}

std::size_t Decoder::memory_of_one() const {
  const auto size = [](int number) { return static_cast<std::size_t>(number); };
  return layers_.size() * size(max_length()) * 2 * size(config_.encoder.dim) * sizeof(float);
}

void Decoder::begin(std::int64_t rows, DecoderState& state) const {
  const std::int64_t dim = config_.encoder.dim;
  state.layers.resize(layers_.size());
  for (DecoderState::Layer& layer : state.layers) {
    layer.read.assign(static_cast<std::size_t>(rows), {});
    const auto room = static_cast<std::int64_t>(std::bit_ceil(layer.read.size()));
    layer.written.get(room * max_length() * 2 * dim);
  }
}

std::int32_t Decoder::branch(std::int32_t from, int steps, DecoderState& state) const {
  const std::int64_t step = 2 * std::int64_t{dim()}, row = max_length() * step;
  const std::size_t rows = state.layers.front().read.size();
  const auto to = static_cast<std::int64_t>(rows);
  for (DecoderState::Layer& layer : state.layers) {
    layer.read.push_back(layer.read[static_cast<std::size_t>(from)]);
    // Doubled, so that many branches do not copy everything many times.
    if (std::has_single_bit(rows)) layer.written.grow(2 * to * row, to * row);
    float* written = layer.written.data();
    std::copy_n(written + from * row, steps * step, written + to * row);
  }
  return static_cast<std::int32_t>(to);
}

void Decoder::attend_written(const Tile& tile, DecoderState::Layer& kept,
                             DecoderState& state) const {
  const std::int64_t dim = config_.encoder.dim;
  const float* qkv = state.qkv.data();
  float* mixed = state.mixed.get(kTileRows * dim);
  for (const Written& row : tile.written) {
    float* first = kept.written.data() + std::int64_t{row.leaf} * max_length() * 2 * dim;
    std::copy_n(qkv + dim, 2 * dim, first + std::int64_t{tile.step} * 2 * dim);
    best_kernels().attend({config_.encoder.heads, config_.encoder.dim}, qkv,
                          {first, first + dim, 2 * dim, tile.step + 1},
                          state.scores.get(std::int64_t{tile.step + 1} * config_.encoder.heads),
                          mixed);
    qkv += 3 * dim;
    mixed += dim;
  }
}

void Decoder::attend_memory(std::size_t index, const Tile& tile, DecoderState& state) const {
  const HeadShape shape{config_.encoder.heads, config_.encoder.dim};
  const std::int64_t dim = config_.encoder.dim;
  const std::vector<float>& match_bias = layers_[index].match_bias;
  const float* query = state.qkv.data();
  float* mixed = state.mixed.get(kTileRows * dim);
  for (const Written& row : tile.written) {
    const MatchMemories& read = state.layers[index].read[static_cast<std::size_t>(row.leaf)];
    if (match_bias.empty()) {
      best_kernels().attend(shape, query, read.before,
                            state.scores.get(read.before.count * shape.heads), mixed);
    } else {
      best_kernels().attend_last_match(shape, {query, match_bias.data()}, read, {}, mixed);
    }
    query += dim;
    mixed += dim;
  }
}

void Decoder::run_layer(std::size_t index, const Tile& tile, DecoderState& state) const {
  const Layer& layer = layers_[index];
  const auto rows = static_cast<std::int64_t>(tile.written.size());
  float* normed = state.normed.get(kTileRows * dim());
  float* qkv = state.qkv.get(kTileRows * 3 * dim());
  layer.first.run(tile.x, rows, normed, [&](const float* from, bool) {
    layer.in.multiply(from, rows, qkv);
    attend_written(tile, state.layers[index], state);
    layer.out.multiply_add(state.mixed.data(), rows, tile.x);
  });
  layer.second.run(tile.x, rows, normed, [&](const float* from, bool) {
    layer.query.multiply(from, rows, qkv);
    attend_memory(index, tile, state);
    layer.cross_out.multiply_add(state.mixed.data(), rows, tile.x);
  });
  layer.third.run(tile.x, rows, normed, [&](const float* from, bool add) {
    layer.feed_forward.run(from, rows, state.hidden, add, tile.x);
  });
}

const float* Decoder::next(std::span<const Written> written, int step, DecoderState& state) const {
  const std::int64_t dim = config_.encoder.dim;
  const auto every_layer = config_.decoder.positions_every_layer;
  const auto all = static_cast<std::int64_t>(written.size());
  state.x.get(all * dim);
  state.logits.get(all * vocabulary());
  for (std::size_t begin = 0; begin < written.size(); begin += kTileRows) {
    const auto size = std::min(static_cast<std::size_t>(kTileRows), written.size() - begin);
    const auto rows = static_cast<std::int64_t>(size), first = static_cast<std::int64_t>(begin);
    const Tile tile{written.subspan(begin, size), step, state.x.data() + first * dim};
    std::fill_n(tile.x, rows * dim, 0.0F);
    for (std::int64_t r = 0; r < rows; ++r) {
      embedding_.add(tile.written[static_cast<std::size_t>(r)].symbol, tile.x + r * dim);
    }
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const bool add = !positions_.empty() && (i == 0 || every_layer);
      for (std::int64_t r = 0; add && r < rows; ++r) positions_.add(step, tile.x + r * dim);
      run_layer(i, tile, state);
    }
    if (norm_) best_kernels().norm_rows(norm_->weights(), tile.x, rows, tile.x, nullptr);
    head_.multiply(tile.x, rows, state.logits.data() + first * vocabulary());
  }
  return state.logits.data();
}

}  // namespace nrs::nn
