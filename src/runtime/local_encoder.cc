#include "runtime/local_encoder.h"

#include <algorithm>

namespace nrs::runtime {
namespace {

// No token, in the place of one: beyond the ends of a row.
constexpr std::uint8_t kOutside = 0xFF;
// Contexts that are remembered for each layer: 4 MB of vectors of 64 numbers.
constexpr std::size_t kRemembered = std::size_t{1} << 14;
// Short contexts come again wherever they are. Long ones do so only around a change, which makes
// for a small batch; to look for them elsewhere costs more than it brings.
constexpr std::int32_t kShortRadius = 4;
constexpr std::size_t kSmallBatch = 256;

std::size_t index_of(std::int32_t token) {
  return static_cast<std::size_t>(token);
}

}  // namespace

bool LocalEncoder::local(const nn::EncoderConfig& config, int vocabulary) {
  // Contexts wider than that are not worth their comparison.
  constexpr int kWidest = 256;
  const std::optional<int> radius = nn::receptive_radius(config);
  return radius && *radius <= kWidest && config.positions == nn::Positions::kNone &&
         config.place_values == 0 && vocabulary < kOutside;
}

LocalEncoder::LocalEncoder(const nn::Encoder& encoder) : encoder_(encoder) {
  std::int32_t radius = 0;
  for (const nn::EncoderLayer& layer : encoder.layers()) {
    radius += layer.dilation * encoder.config().window;
    radii_.push_back(radius);
  }
}

const float* LocalEncoder::run(const nn::TokenRows& tokens, std::span<const std::int32_t> wanted,
                               LocalScratch& scratch) const {
  encoder_.reserve(tokens.packing, scratch.encoder);
  lay_out(tokens, scratch);
  plan(wanted, scratch);
  float* x = scratch.encoder.x.data();
  const std::int64_t dim = encoder_.config().dim;
  for (const std::int32_t token : scratch.levels.front().wanted) {
    encoder_.embed(tokens, token, x + token * dim);
  }
  for (std::size_t layer = 0; layer < radii_.size(); ++layer) run_layer(layer, scratch);
  encoder_.finish(wanted, x);
  return x;
}

void LocalEncoder::lay_out(const nn::TokenRows& tokens, LocalScratch& scratch) const {
  const nn::Packing& rows = tokens.packing;
  const auto margin = index_of(radii_.back());
  scratch.ids.assign(margin, kOutside);
  scratch.at.clear();
  for (std::int64_t r = 0; r < rows.rows(); ++r) {
    for (std::int64_t token = rows.begin(r); token < rows.end(r); ++token) {
      scratch.at.push_back(static_cast<std::int32_t>(scratch.ids.size()));
      scratch.ids.push_back(static_cast<std::uint8_t>(tokens.ids[static_cast<std::size_t>(token)]));
    }
    scratch.ids.insert(scratch.ids.end(), margin, kOutside);
  }
  scratch.ids.resize(scratch.ids.size() + sizeof(std::uint64_t));  // read together with the last
  scratch.index.resize(scratch.at.size());
  scratch.levels.resize(radii_.size() + 1);
  for (std::size_t layer = scratch.tables.size(); layer < radii_.size(); ++layer) {
    scratch.tables.emplace_back(2 * index_of(radii_[layer]) + 1, encoder_.config().dim,
                                kRemembered);
  }
}

// From the last layer to the first: what is wanted, what of it is known, and what the computation
// of the rest will read.
void LocalEncoder::plan(std::span<const std::int32_t> wanted, LocalScratch& scratch) const {
  scratch.levels.back().wanted.assign(wanted.begin(), wanted.end());
  for (std::size_t layer = radii_.size(); layer-- > 0;) {
    look_up(layer, scratch);
    want_neighbours(layer, scratch);
  }
}

bool LocalEncoder::remembers(std::size_t layer, const LocalScratch& scratch) const {
  return radii_[layer] <= kShortRadius || scratch.at.size() <= kSmallBatch;
}

void LocalEncoder::look_up(std::size_t layer, LocalScratch& scratch) const {
  LocalScratch::Level& level = scratch.levels[layer + 1];
  const std::int64_t dim = encoder_.config().dim;
  float* to = level.vectors.get(static_cast<std::int64_t>(level.wanted.size()) * dim);
  level.computed.clear();
  level.known.clear();
  if (!remembers(layer, scratch)) {
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

void LocalEncoder::want_neighbours(std::size_t layer, LocalScratch& scratch) const {
  const int window = encoder_.config().window, dilation = encoder_.layers()[layer].dilation;
  constexpr std::int32_t kWanted = -1;
  std::ranges::fill(scratch.index, 0);
  for (const std::int32_t token : scratch.levels[layer + 1].computed) {
    const std::uint8_t* id = scratch.ids.data() + scratch.at[index_of(token)];
    for (std::int32_t slot = -window; slot <= window; ++slot) {
      const std::int32_t distance = slot * dilation;
      if (id[distance] != kOutside) scratch.index[index_of(token + distance)] = kWanted;
    }
  }
  std::vector<std::int32_t>& wanted = scratch.levels[layer].wanted;
  wanted.clear();
  for (std::size_t token = 0; token < scratch.index.size(); ++token) {
    if (scratch.index[token] == kWanted) wanted.push_back(static_cast<std::int32_t>(token));
  }
}

void LocalEncoder::run_layer(std::size_t layer, LocalScratch& scratch) const {
  const nn::EncoderLayer& weights = encoder_.layers()[layer];
  const std::int64_t dim = encoder_.config().dim;
  nn::EncoderScratch& work = scratch.encoder;
  float* x = work.x.data();
  const auto tile_of = [](const std::vector<std::int32_t>& all, std::size_t begin) {
    return std::span(all).subspan(
        begin, std::min(static_cast<std::size_t>(nn::kTileRows), all.size() - begin));
  };
  const auto gather = [&](std::span<const std::int32_t> tokens) {
    float* to = work.rows.data();
    for (const std::int32_t token : tokens) to = std::copy_n(x + token * dim, dim, to);
    return work.rows.data();
  };
  const std::vector<std::int32_t>& read = scratch.levels[layer].wanted;
  for (std::size_t begin = 0; begin < read.size(); begin += nn::kTileRows) {
    const auto tile = tile_of(read, begin);
    weights.project(gather(tile), static_cast<std::int64_t>(tile.size()), work.normed.data(),
                    work.qkv.data() + static_cast<std::int64_t>(begin) * 3 * dim);
  }
  for (std::size_t i = 0; i < read.size(); ++i) {
    scratch.index[index_of(read[i])] = static_cast<std::int32_t>(i);
  }
  const LocalScratch::Level& level = scratch.levels[layer + 1];
  const bool remember = remembers(layer, scratch);
  for (std::size_t begin = 0; begin < level.computed.size(); begin += nn::kTileRows) {
    const auto tile = tile_of(level.computed, begin);
    mix(layer, tile, scratch);
    float* rows = gather(tile);
    weights.finish(rows, static_cast<std::int64_t>(tile.size()), work);
    for (const std::int32_t token : tile) {
      if (remember) scratch.tables[layer].add(context(layer, token, scratch), rows);
      std::copy_n(rows, dim, x + token * dim);
      rows += dim;
    }
  }
  const float* from = level.vectors.data();
  for (const std::int32_t token : level.known) {
    std::copy_n(from, dim, x + token * dim);
    from += dim;
  }
}

void LocalEncoder::mix(std::size_t layer, std::span<const std::int32_t> tokens,
                       LocalScratch& scratch) const {
  const nn::EncoderConfig& config = encoder_.config();
  const nn::EncoderLayer& weights = encoder_.layers()[layer];
  const nn::Kernels& kernels = nn::best_kernels();
  const nn::HeadShape shape{config.heads, config.dim};
  const float* qkv = scratch.encoder.qkv.data();
  const std::int64_t stride = 3 * std::int64_t{config.dim};
  float* to = scratch.encoder.mixed.data();
  const auto row_of = [&](std::int32_t token) {
    return qkv + scratch.index[index_of(token)] * stride;
  };
  for (const std::int32_t token : tokens) {
    const std::uint8_t* id = scratch.ids.data() + scratch.at[index_of(token)];
    const float** slot = scratch.encoder.slots.data();
    for (int s = -config.window; s <= config.window; ++s) {
      const std::int32_t distance = s * weights.dilation;
      *slot++ = id[distance] == kOutside ? nullptr : row_of(token + distance);
    }
    kernels.attend_window(shape, weights.slots(), row_of(token), scratch.encoder.window(),
                          scratch.encoder.scores.data(), to);
    to += config.dim;
  }
}

}  // namespace nrs::runtime
