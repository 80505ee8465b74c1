#pragma once
// Leaves whose value depends on what stands beside them.
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "teach/shapes.h"

namespace nrs::teach {

// A step, by its number, and how a shape explains it.
using Use = std::pair<std::uint32_t, Rewrite>;

// The steps in which a leaf of one shape becomes something else than it usually does because of
// the token before or behind it, or of both. They need a larger leaf, which has these tokens, and
// are no noise: beside them it is nearly always so, and too often for chance. Nothing if tokens
// decide that other patterns would not tell apart, because others of their class decide otherwise.
std::optional<std::set<std::uint32_t>> exceptions(const Corpus& corpus,
                                                  std::span<const TextStep> steps,
                                                  std::span<const Use> uses);

}  // namespace nrs::teach
