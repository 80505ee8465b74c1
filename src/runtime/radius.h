#pragma once
// How far what an encoder makes of a character can depend on other characters.
#include <cstdint>
#include <optional>

#include "nn/config.h"

namespace nrs::runtime {

// Nothing if it depends on everything: absolute positions, full attention, tokens longer than a
// byte.
inline std::optional<std::int64_t> radius_of(const EncoderConfig& config, bool by_byte) {
  const std::optional<int> radius = receptive_radius(config);
  if (!radius || !by_byte || config.positions != Positions::kNone) return std::nullopt;
  // The place of a digit is told by the digits behind it, as far as places are told apart.
  return std::int64_t{*radius} + config.place_values;
}

}  // namespace nrs::runtime
