#include "nn/encoder.h"

#include <algorithm>

#include "nn/positions.h"

namespace nrs::nn {

EncoderLayer::EncoderLayer(const EncoderConfig& config, int dilation_, const WeightReader& weights)
    : in(weights.matrix("attention.in")),
      out(weights.matrix("attention.out")),
      slot_bias(weights.values("attention.slot_bias")),
      slot_value(weights.values("attention.slot_value")),
      dilation(dilation_),
      feed_forward(config, weights.part("feed_forward")),
      first{config.norm, true, LayerNorm(weights.part("norm1"))},
      second{config.norm, true, LayerNorm(weights.part("norm2"))} {}

void EncoderLayer::project(const float* x, std::int64_t rows, float* normed, float* qkv) const {
  if (first.place == Norm::kPre) {
    best_kernels().norm_rows(first.norm.weights(), x, rows, normed, nullptr);
    x = normed;
  }
  in.multiply(x, rows, qkv);
}

void EncoderLayer::finish(float* x, std::int64_t rows, EncoderScratch& scratch) const {
  out.multiply_add(scratch.mixed.data(), rows, x);
  if (first.place == Norm::kPost)
    best_kernels().norm_rows(first.norm.weights(), x, rows, x, nullptr);
  second.run(x, rows, scratch.normed.data(), [&](const float* from, bool add) {
    feed_forward.run(from, rows, scratch.hidden.data(), add, x);
  });
}

WindowSlots EncoderLayer::slots() const {
  const auto pointer = [](const std::vector<float>& v) { return v.empty() ? nullptr : v.data(); };
  return {pointer(slot_bias), pointer(slot_value)};
}

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

void Encoder::embed(const TokenRows& tokens, std::int64_t token, float* x) const {
  const auto at = static_cast<std::size_t>(token);
  std::fill_n(x, config_.dim, 0.0F);
  if (tokens.ids[at] == kPadId) return;
  embedding_.add(tokens.ids[at], x);
  if (!places_.empty()) places_.add(std::min(tokens.places[at], config_.place_values), x);
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

void Encoder::mix(const EncoderLayer& layer, const Packing& rows, std::int64_t begin,
                  std::int64_t end, EncoderScratch& scratch) const {
  const Kernels& kernels = best_kernels();
  const HeadShape shape{config_.heads, config_.dim};
  const std::int64_t dim = config_.dim;
  const float* qkv = scratch.qkv.data();
  const auto& offsets = rows.offsets();
  auto row = std::upper_bound(offsets.begin(), offsets.end(), begin) - offsets.begin() - 1;
  float* to = scratch.mixed.data();
  for (std::int64_t token = begin; token < end; ++token, to += dim) {
    while (token >= rows.end(row)) ++row;
    const std::int64_t first = rows.begin(row);
    const float* query = qkv + token * 3 * dim;
    if (layer.dilation > 0) {
      for (std::int64_t s = -config_.window; s <= config_.window; ++s) {
        const std::int64_t other = token + s * layer.dilation;
        const bool inside = other >= first && other < rows.end(row);
        scratch.slots[static_cast<std::size_t>(s + config_.window)] =
            inside ? qkv + other * 3 * dim : nullptr;
      }
      kernels.attend_window(shape, layer.slots(), query, scratch.window(), scratch.scores.data(),
                            to);
    } else {
      const float* keys = qkv + first * 3 * dim + dim;
      kernels.attend(shape, query, {keys, keys + dim, 3 * dim, rows.length(row)},
                     scratch.scores.data(), to);
    }
  }
}

void Encoder::run_layer(const EncoderLayer& layer, const Packing& rows,
                        EncoderScratch& scratch) const {
  const std::int64_t dim = config_.dim, tokens = rows.tokens();
  float* x = scratch.x.data();
  for (std::int64_t tile = 0; tile < tokens; tile += kTileRows) {
    layer.project(x + tile * dim, std::min(kTileRows, tokens - tile), scratch.normed.data(),
                  scratch.qkv.data() + tile * 3 * dim);
  }
  for (std::int64_t tile = 0; tile < tokens; tile += kTileRows) {
    const std::int64_t count = std::min(kTileRows, tokens - tile);
    mix(layer, rows, tile, tile + count, scratch);
    layer.finish(x + tile * dim, count, scratch);
  }
}

void Encoder::reserve(const Packing& rows, EncoderScratch& scratch) const {
  const std::int64_t count = rows.tokens(), dim = config_.dim;
  scratch.x.get(count * dim);
  scratch.qkv.get(count * 3 * dim);
  for (Buffer* tile : {&scratch.rows, &scratch.normed, &scratch.mixed}) tile->get(kTileRows * dim);
  scratch.hidden.get(kTileRows * layers_.front().feed_forward.hidden());
  std::int64_t seen = 2 * config_.window + 1;
  scratch.slots.resize(static_cast<std::size_t>(seen));
  for (std::int64_t r = 0; config_.dilations.empty() && r < rows.rows(); ++r) {
    seen = std::max(seen, rows.length(r));
  }
  scratch.scores.get(seen * config_.heads);
}

const float* Encoder::run(const TokenRows& tokens, EncoderScratch& scratch) const {
  const Packing& rows = tokens.packing;
  reserve(rows, scratch);
  float* x = scratch.x.data();
  for (std::int64_t token = 0; token < rows.tokens(); ++token) {
    embed(tokens, token, x + token * config_.dim);
  }
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    if (!positions_.empty() && (i == 0 || config_.positions_every_layer)) {
      add_positions(tokens, static_cast<int>(i), scratch.labels, x);
    }
    run_layer(layers_[i], rows, scratch);
  }
  if (norm_) best_kernels().norm_rows(norm_->weights(), x, rows.tokens(), x, nullptr);
  return x;
}

void Encoder::finish(std::span<const std::int32_t> tokens, float* x) const {
  if (!norm_) return;
  for (const std::int32_t token : tokens) {
    float* row = x + std::int64_t{token} * config_.dim;
    best_kernels().norm_rows(norm_->weights(), row, 1, row, nullptr);
  }
}

}  // namespace nrs::nn
