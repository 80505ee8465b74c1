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

}  // namespace nrs::nn
