#include "study/space.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/rng.h"

namespace nrs {
namespace {

// On the scale of the field: 0 is `from` and 1 is `to`.
double between(double from, double to, double share, DrawScale scale) {
  if (scale == DrawScale::kLinear) return from + (to - from) * share;
  return std::exp(std::log(from) + (std::log(to) - std::log(from)) * share);
}

std::string draw(const SpaceField& field, Rng& rng) {
  if (!field.choices.empty()) {
    return field.choices[static_cast<std::size_t>(rng.below(field.choices.size()))];
  }
  if (field.whole) {
    // Up to max + 1 and rounded down, so that the ends are as likely as what is between them.
    const double drawn = between(field.min, field.max + 1, rng.uniform(), field.scale);
    return fmt::format("{:.0f}", std::clamp(std::floor(drawn), field.min, field.max));
  }
  // Four digits are enough to choose by, and short enough to be written into a recipe.
  return fmt::format("{:.4g}", between(field.min, field.max, rng.uniform(), field.scale));
}

}  // namespace

std::vector<Setting> draw(const Space& space, std::uint64_t seed, std::uint64_t trial) {
  std::vector<Setting> settings;
  for (const SpaceField& field : space) {
    Rng rng(mix(seed, hash_text(field.key)), trial);
    settings.push_back({field.key, draw(field, rng)});
  }
  return settings;
}

}  // namespace nrs
