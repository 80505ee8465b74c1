#include "nn/encoder.h"

#include <algorithm>
#include <numeric>

namespace nrs::nn {
namespace {

// No token, in the place of one: beyond the ends of a row.
constexpr std::uint8_t kNoToken = 0xFF;
// Contexts that are remembered for each layer: 4 MB of vectors of 64 numbers.
constexpr std::size_t kRemembered = std::size_t{1} << 14;
// Short contexts come again wherever they are. Long ones do so only around a change, which makes
// for a small batch; to look for them elsewhere costs more than it brings.
constexpr std::int32_t kShortRadius = 4;
constexpr std::size_t kSmallBatch = 256;

using Tokens = std::span<const std::int32_t>;

std::size_t index_of(std::int32_t token) {
  return static_cast<std::size_t>(token);
}

// Those that pass through a layer together.
Tokens tile_at(std::size_t begin, Tokens tokens) {
  return tokens.subspan(begin,
                        std::min(static_cast<std::size_t>(kTileRows), tokens.size() - begin));
}

// The rows of some tokens side by side, [tokens.size(), D]: where they are, if they lie so.
float* gather(Tokens tokens, std::int64_t dim, EncoderScratch& scratch) {
  float* x = scratch.x.data();
  if (index_of(tokens.back() - tokens.front()) + 1 == tokens.size()) {
    return x + tokens.front() * dim;
  }
  float* to = scratch.rows.get(kTileRows * dim);
  for (const std::int32_t token : tokens) to = std::copy_n(x + token * dim, dim, to);
  return scratch.rows.data();
}

// How far the result of each layer depends on other tokens; empty if an encoder is not local().
std::vector<std::int32_t> local_radii(const EncoderConfig& config, std::uint64_t vocabulary) {
  // Contexts wider than that are not worth their comparison.
  constexpr int kWidest = 256;
  const std::optional<int> widest = receptive_radius(config);
  if (!widest || *widest > kWidest || config.positions != Positions::kNone ||
      config.place_values > 0 || vocabulary >= kNoToken) {
    return {};
  }
  std::vector<std::int32_t> radii;
  std::int32_t radius = 0;
  for (int i = 0; i < config.layers; ++i)
    radii.push_back(radius += config.window * config.dilation(i));
  return radii;
}

}  // namespace

Encoder::Layer::Layer(const EncoderConfig& config, int dilation_, const WeightReader& weights)
    : in(weights.matrix("attention.in")),
      out(weights.matrix("attention.out")),
      slot_bias(weights.values("attention.slot_bias")),
      slot_value(weights.values("attention.slot_value")),
      dilation(dilation_),
      feed_forward(config.activation, weights.part("feed_forward")),
      first{config.norm, true, LayerNorm(weights.part("norm1"))},
      second{config.norm, true, LayerNorm(weights.part("norm2"))} {}

Encoder::Encoder(const EncoderConfig& config, const WeightReader& weights)
    : config_(config),
      embedding_(weights.values("embedding"), config.dim),
      places_(weights.values("places"), config.dim),
      positions_(position_table(
          config.positions,
          config.positions == Positions::kLabel ? config.label_range : config.max_positions,
          config.dim, weights)),
      radii_(local_radii(config, weights.get("embedding").shape.at(0))) {
  for (int i = 0; i < config.layers; ++i) {
    layers_.emplace_back(config, config.dilation(i), weights.part("layer" + std::to_string(i)));
  }
  if (config.norm == Norm::kPre) norm_.emplace(weights.part("norm"));
}

std::optional<std::int64_t> Encoder::longest() const {
  const bool by_index =
      config_.positions == Positions::kLearned || config_.positions == Positions::kSinusoid;
  return by_index ? std::optional<std::int64_t>(config_.max_positions) : std::nullopt;
}

const float* Encoder::run(const TokenRows& tokens, EncoderScratch& scratch) const {
  scratch.x.get(tokens.packing.tokens() * config_.dim);
  plan(tokens, scratch);
  embed(tokens, scratch);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    if (!positions_.empty() && (i == 0 || config_.positions_every_layer)) {
      add_positions(tokens, i, scratch);
    }
    run_layer(i, tokens.packing, scratch);
  }
  float* x = scratch.x.data();
  if (!norm_) return x;
  for (const std::int32_t token : scratch.levels.back().wanted) {
    float* row = x + std::int64_t{token} * config_.dim;
    best_kernels().norm_rows(norm_->weights(), row, 1, row, nullptr);
  }
  return x;
}

// From the last layer to the first: what is wanted, what of it is known, and what the computation
// of the rest will read.
void Encoder::plan(const TokenRows& tokens, EncoderScratch& scratch) const {
  scratch.levels.resize(layers_.size() + 1);
  scratch.index.resize(tokens.ids.size());
  if (local() && !tokens.wanted.empty()) {
    lay_out(tokens, scratch);
    scratch.levels.back().wanted = tokens.wanted;
    for (std::size_t layer = layers_.size(); layer-- > 0;) {
      look_up(layer, scratch);
      want_neighbours(layer, tokens.packing, scratch);
    }
    return;
  }
  for (EncoderScratch::Level& level : scratch.levels) {
    level.wanted.resize(tokens.ids.size());
    std::iota(level.wanted.begin(), level.wanted.end(), 0);
    level.computed = level.wanted;
    level.known.clear();
    level.remember = false;
  }
}

void Encoder::embed(const TokenRows& tokens, EncoderScratch& scratch) const {
  for (const std::int32_t token : scratch.levels.front().wanted) {
    float* x = scratch.x.data() + std::int64_t{token} * config_.dim;
    std::fill_n(x, config_.dim, 0.0F);
    const std::size_t at = index_of(token);
    if (tokens.ids[at] == kPadId) continue;
    embedding_.add(tokens.ids[at], x);
    if (!places_.empty()) places_.add(std::min(tokens.places[at], config_.place_values), x);
  }
}

void Encoder::add_positions(const TokenRows& tokens, std::size_t layer,
                            EncoderScratch& scratch) const {
  const Packing& rows = tokens.packing;
  std::vector<std::int32_t>& labels = scratch.labels;
  float* x = scratch.x.data();
  for (std::int64_t r = 0; r < rows.rows(); ++r) {
    labels.resize(static_cast<std::size_t>(rows.length(r)));
    if (config_.positions == Positions::kLabel) {
      Rng rng(tokens.seeds.at(static_cast<std::size_t>(r)), layer);
      draw_labels(config_.label_range, rng, labels);
    } else {
      std::iota(labels.begin(), labels.end(), 0);
    }
    for (const std::int32_t label : labels) {
      positions_.add(label, x);
      x += config_.dim;
    }
  }
}

void Encoder::run_layer(std::size_t index, const Packing& rows, EncoderScratch& scratch) const {
  const Layer& layer = layers_[index];
  const std::int64_t dim = config_.dim;
  float* x = scratch.x.data();
  project(layer, scratch.levels[index].wanted, scratch);
  const EncoderScratch::Level& level = scratch.levels[index + 1];
  for (std::size_t begin = 0; begin < level.computed.size(); begin += kTileRows) {
    const Tokens tile = tile_at(begin, level.computed);
    mix(layer, rows, tile, scratch);
    float* from = gather(tile, dim, scratch);
    finish(layer, from, static_cast<std::int64_t>(tile.size()), scratch);
    for (const std::int32_t token : tile) {
      if (level.remember) scratch.tables[index].add(context(index, token, scratch), from);
      if (float* to = x + token * dim; to != from) std::copy_n(from, dim, to);
      from += dim;
    }
  }
  const float* from = level.vectors.data();
  for (const std::int32_t token : level.known) {
    std::copy_n(from, dim, x + token * dim);
    from += dim;
  }
}

// The queries, keys and values of what the next level reads, one after the other.
void Encoder::project(const Layer& layer, Tokens read, EncoderScratch& scratch) const {
  const std::int64_t dim = config_.dim;
  float* normed = scratch.normed.get(kTileRows * dim);
  float* qkv = scratch.qkv.get(static_cast<std::int64_t>(read.size()) * 3 * dim);
  for (std::size_t begin = 0; begin < read.size(); begin += kTileRows) {
    const Tokens tile = tile_at(begin, read);
    const auto rows = static_cast<std::int64_t>(tile.size());
    const float* x = gather(tile, dim, scratch);
    if (layer.first.place == Norm::kPre) {
      best_kernels().norm_rows(layer.first.norm.weights(), x, rows, normed, nullptr);
      x = normed;
    }
    layer.in.multiply(x, rows, qkv);
    qkv += rows * 3 * dim;
  }
  for (std::size_t i = 0; i < read.size(); ++i) {
    scratch.index[index_of(read[i])] = static_cast<std::int32_t>(i);
  }
}

// What attention finds for some tokens, to scratch.mixed.
void Encoder::mix(const Layer& layer, const Packing& rows, Tokens tokens,
                  EncoderScratch& scratch) const {
  const Kernels& kernels = best_kernels();
  const HeadShape shape{config_.heads, config_.dim};
  const auto pointer = [](const std::vector<float>& v) { return v.empty() ? nullptr : v.data(); };
  const WindowSlots slots{pointer(layer.slot_bias), pointer(layer.slot_value)};
  const std::int64_t dim = config_.dim;
  const auto of = [&](std::int64_t token) {
    return scratch.qkv.data() + scratch.index[static_cast<std::size_t>(token)] * (3 * dim);
  };
  scratch.slots.resize(2 * static_cast<std::size_t>(config_.window) + 1);
  float* to = scratch.mixed.get(kTileRows * dim);
  std::int64_t row = 0;
  for (const std::int64_t token : tokens) {
    while (token >= rows.end(row)) ++row;
    const std::int64_t first = rows.begin(row), end = rows.end(row);
    if (layer.dilation > 0) {
      const float** slot = scratch.slots.data();
      for (std::int64_t s = -config_.window; s <= config_.window; ++s) {
        const std::int64_t other = token + s * layer.dilation;
        *slot++ = other >= first && other < end ? of(other) : nullptr;
      }
      const int count = 2 * config_.window + 1;
      kernels.attend_window(shape, slots, of(token), {scratch.slots.data(), count},
                            scratch.scores.get(std::int64_t{count} * config_.heads), to);
    } else {
      const float* keys = of(first) + dim;
      kernels.attend(shape, of(token), {keys, keys + dim, 3 * dim, end - first},
                     scratch.scores.get((end - first) * config_.heads), to);
    }
    to += dim;
  }
}

// x [rows, D] becomes the result of the layer, once what attention found is in scratch.mixed.
void Encoder::finish(const Layer& layer, float* x, std::int64_t rows,
                     EncoderScratch& scratch) const {
  layer.out.multiply_add(scratch.mixed.data(), rows, x);
  if (layer.first.place == Norm::kPost) {
    best_kernels().norm_rows(layer.first.norm.weights(), x, rows, x, nullptr);
  }
  layer.second.run(x, rows, scratch.normed.data(), [&](const float* from, bool add) {
    layer.feed_forward.run(from, rows, scratch.hidden, add, x);
  });
}

void Encoder::lay_out(const TokenRows& tokens, EncoderScratch& scratch) const {
  const Packing& rows = tokens.packing;
  const std::size_t margin = index_of(radii_.back());
  scratch.ids.assign(margin, kNoToken);
  scratch.at.clear();
  for (std::int64_t r = 0; r < rows.rows(); ++r) {
    for (std::int64_t token = rows.begin(r); token < rows.end(r); ++token) {
      scratch.at.push_back(static_cast<std::int32_t>(scratch.ids.size()));
      scratch.ids.push_back(static_cast<std::uint8_t>(tokens.ids[static_cast<std::size_t>(token)]));
    }
    scratch.ids.insert(scratch.ids.end(), margin, kNoToken);
  }
  scratch.ids.resize(scratch.ids.size() + sizeof(std::uint64_t));  // read together with the last
  for (std::size_t layer = scratch.tables.size(); layer < radii_.size(); ++layer) {
    scratch.tables.emplace_back(2 * index_of(radii_[layer]) + 1, config_.dim, kRemembered);
  }
}

void Encoder::look_up(std::size_t layer, EncoderScratch& scratch) const {
  EncoderScratch::Level& level = scratch.levels[layer + 1];
  const std::int64_t dim = config_.dim;
  float* to = level.vectors.get(static_cast<std::int64_t>(level.wanted.size()) * dim);
  level.computed.clear();
  level.known.clear();
  level.remember = radii_[layer] <= kShortRadius || scratch.at.size() <= kSmallBatch;
  if (!level.remember) {
    level.computed = level.wanted;
    return;
  }
  for (const std::int32_t token : level.wanted) {
    if (const float* known = scratch.tables[layer].find(context(layer, token, scratch))) {
      level.known.push_back(token);
      to = std::copy_n(known, dim, to);
    } else {
      level.computed.push_back(token);
    }
  }
}

void Encoder::want_neighbours(std::size_t layer, const Packing& rows,
                              EncoderScratch& scratch) const {
  constexpr std::int32_t kWanted = -1;
  std::ranges::fill(scratch.index, 0);
  std::int64_t row = 0;
  for (const std::int64_t token : scratch.levels[layer + 1].computed) {
    while (token >= rows.end(row)) ++row;
    for (std::int64_t s = -config_.window; s <= config_.window; ++s) {
      const std::int64_t other = token + s * layers_[layer].dilation;
      if (other >= rows.begin(row) && other < rows.end(row)) {
        scratch.index[static_cast<std::size_t>(other)] = kWanted;
      }
    }
  }
  std::vector<std::int32_t>& wanted = scratch.levels[layer].wanted;
  wanted.clear();
  for (std::size_t token = 0; token < scratch.index.size(); ++token) {
    if (scratch.index[token] == kWanted) wanted.push_back(static_cast<std::int32_t>(token));
  }
}

}  // namespace nrs::nn
