#include "runtime/encoder.h"

#include <algorithm>

#include "model/positions.h"

namespace nrs::runtime {

Encoder::Layer::Layer(const EncoderConfig& config, int dilation_, const WeightReader& weights)
    : in(weights.matrix("attention.in")),
      out(weights.matrix("attention.out")),
      slot_bias(weights.values("attention.slot_bias")),
      slot_value(weights.values("attention.slot_value")),
      dilation(dilation_),
      feed_forward(config, weights.part("feed_forward")),
      first{config.norm, true, LayerNorm(weights.part("norm1"))},
      second{config.norm, true, LayerNorm(weights.part("norm2"))} {}

Encoder::Encoder(const EncoderConfig& config, const WeightReader& weights)
    : config_(config),
      embedding_(weights.values("embedding"), config.dim),
      places_(weights.values("places"), config.dim),
      positions_(position_table(
          config.positions,
          config.positions == Positions::kLabel ? config.label_range : config.max_positions,
          config.dim, weights)) {
  for (int i = 0; i < config.layers; ++i) {
    const int dilation =
        config.dilations.empty() ? 0 : config.dilations.at(static_cast<std::size_t>(i));
    layers_.emplace_back(config, dilation, weights.part("layer" + std::to_string(i)));
  }
  if (config.norm == Norm::kPre) norm_.emplace(weights.part("norm"));
}

std::optional<std::int64_t> Encoder::longest() const {
  const bool by_index =
      config_.positions == Positions::kLearned || config_.positions == Positions::kSinusoid;
  return by_index ? std::optional<std::int64_t>(config_.max_positions) : std::nullopt;
}

void Encoder::embed(const TokenRows& tokens, float* x) const {
  std::fill_n(x, tokens.packing.tokens() * config_.dim, 0.0F);
  for (std::size_t i = 0; i < tokens.ids.size(); ++i, x += config_.dim) {
    if (tokens.ids[i] == kPadId) continue;
    embedding_.add(tokens.ids[i], x);
    if (!places_.empty()) places_.add(std::min(tokens.places[i], config_.place_values), x);
  }
}

void Encoder::add_positions(const TokenRows& tokens, int layer, std::vector<std::int32_t>& labels,
                            float* x) const {
  const Packing& rows = tokens.packing;
  for (std::int64_t r = 0; r < rows.rows(); ++r) {
    const auto length = static_cast<std::size_t>(rows.length(r));
    labels.resize(length);
    if (config_.positions == Positions::kLabel) {
      Rng rng(tokens.seeds.at(static_cast<std::size_t>(r)), static_cast<std::uint64_t>(layer));
      draw_labels(config_.label_range, rng, labels);
    } else {
      for (std::size_t i = 0; i < length; ++i) labels[i] = static_cast<std::int32_t>(i);
    }
    for (std::size_t i = 0; i < length; ++i, x += config_.dim) positions_.add(labels[i], x);
  }
}

void Encoder::mix(const Layer& layer, const Packing& rows, std::int64_t begin, std::int64_t end,
                  const EncoderScratch& scratch) const {
  const HeadShape shape{config_.heads, config_.dim};
  const int dim = config_.dim;
  const float* qkv = scratch.qkv.data();
  const auto pointer = [](const std::vector<float>& v) { return v.empty() ? nullptr : v.data(); };
  const WindowSlots slots{config_.window, layer.dilation, pointer(layer.slot_bias),
                          pointer(layer.slot_value)};
  const auto& offsets = rows.offsets();
  auto row = std::upper_bound(offsets.begin(), offsets.end(), begin) - offsets.begin() - 1;
  float* to = scratch.mixed.data();
  for (std::int64_t token = begin; token < end; ++token, to += dim) {
    while (token >= rows.end(row)) ++row;
    const std::int64_t first = rows.begin(row);
    if (layer.dilation > 0) {
      attend_window(shape, slots, qkv, {token, first, rows.end(row)}, scratch.scores.data(), to);
    } else {
      const float* keys = qkv + first * 3 * dim + dim;
      attend(shape, qkv + token * 3 * dim, {keys, keys + dim, 3 * dim, rows.length(row)},
             scratch.scores.data(), to);
    }
  }
}

void Encoder::run_layer(const Layer& layer, const Packing& rows, EncoderScratch& scratch) const {
  const std::int64_t dim = config_.dim, tokens = rows.tokens();
  float* normed = scratch.normed.data();
  for (std::int64_t tile = 0; tile < tokens; tile += kTileRows) {
    const std::int64_t count = std::min(kTileRows, tokens - tile);
    const float* x = scratch.x.data() + tile * dim;
    if (config_.norm == Norm::kPre) {
      norm_rows(layer.first.norm.weights(), x, count, normed);
      x = normed;
    }
    layer.in.multiply(x, count, scratch.qkv.data() + tile * 3 * dim);
  }
  for (std::int64_t tile = 0; tile < tokens; tile += kTileRows) {
    const std::int64_t count = std::min(kTileRows, tokens - tile);
    float* x = scratch.x.data() + tile * dim;
    mix(layer, rows, tile, tile + count, scratch);
    layer.out.multiply_add(scratch.mixed.data(), count, x);
    if (config_.norm == Norm::kPost) norm_rows(layer.first.norm.weights(), x, count, x);
    layer.second.run(x, count, normed, [&](const float* from, bool add) {
      layer.feed_forward.run(from, count, scratch.hidden.data(), add, x);
    });
  }
}

const float* Encoder::run(const TokenRows& tokens, EncoderScratch& scratch) const {
  const Packing& rows = tokens.packing;
  const std::int64_t count = rows.tokens(), dim = config_.dim;
  float* x = scratch.x.get(count * dim);
  scratch.qkv.get(count * 3 * dim);
  scratch.normed.get(kTileRows * dim);
  scratch.mixed.get(kTileRows * dim);
  scratch.hidden.get(kTileRows * layers_.front().feed_forward.hidden());
  std::int64_t scores = 2 * config_.window + 1;
  for (std::int64_t r = 0; r < rows.rows(); ++r) scores = std::max(scores, rows.length(r));
  scratch.scores.get(scores);
  embed(tokens, x);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    if (!positions_.empty() && (i == 0 || config_.positions_every_layer)) {
      add_positions(tokens, static_cast<int>(i), scratch.labels, x);
    }
    run_layer(layers_[i], rows, scratch);
  }
  if (norm_) norm_rows(norm_->weights(), x, count, x);
  return x;
}

}  // namespace nrs::runtime
