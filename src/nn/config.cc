#include "nn/config.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace nrs::nn {

SolverConfig writer_network(const SelectorConfig& config) {
  return {.token_rules = config.token_rules,
          .shared_vocabulary = config.writer.shared_vocabulary,
          .encoder = config.encoder,
          .decoder = config.writer.decoder,
          .cross = config.writer.cross,
          .jitter = config.writer.jitter};
}

std::optional<int> receptive_radius(const EncoderConfig& config) {
  if (config.dilations.empty()) return std::nullopt;
  // A file may ask for more than an int can hold; no formula is that long.
  std::int64_t radius = 0;
  for (const int dilation : config.dilations) radius += std::int64_t{dilation} * config.window;
  return static_cast<int>(std::min<std::int64_t>(radius, std::numeric_limits<int>::max() / 2));
}

std::optional<std::int64_t> character_radius(const EncoderConfig& config, bool by_byte) {
  const std::optional<int> radius = receptive_radius(config);
  if (!radius || !by_byte || config.positions != Positions::kNone) return std::nullopt;
  // The place of a digit is told by the digits behind it, as far as places are told apart.
  return std::int64_t{*radius} + config.place_values;
}

std::vector<std::int32_t> router_columns(const RouterConfig& config, int vocabulary,
                                         std::span<const std::int32_t> tokens) {
  std::vector<std::int32_t> columns{begin_column_id(vocabulary)};
  columns.insert(columns.end(), tokens.begin(), tokens.end());
  columns.push_back(end_column_id(vocabulary));
  const auto read = static_cast<std::size_t>(config.columns);
  columns.resize(std::max(columns.size(), read), end_column_id(vocabulary));
  return columns;
}

std::int64_t answer_column(const RouterConfig& config, std::int64_t count, int i) {
  return config.readout == Readout::kFirst ? i : count + 1;
}

}  // namespace nrs::nn
