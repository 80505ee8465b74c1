#pragma once
// Makes the guard of a Solver from what it is taught.
#include <optional>

#include "learn/examples/example_source.h"
#include "model/leaf_guard.h"

namespace nrs::learn {

// The strictest guard that hardly ever turns away a right question. If the pairs are all that there
// are, only these are let through. Else guards are tried from strict to lax: the taught texts
// themselves; then texts of the same form with other atoms, if the atoms are known;
// then texts of the same shape, with characters that were met in the same places taken
// for the same, as long as they have no new part of a few characters; then all texts without such a
// part. Each is judged by leaving out one taught text at a time, and on the pairs for validation:
// of each, it may turn away kMostTurnedAway. Nothing if every guard turns away
// more, or if nobody knows how often the texts were met: a drawn part of the leaves of a domain has
// each once, and what is rare there, such as (0+0), can be common in deep formulas.
inline constexpr double kMostTurnedAway = 0.0005;
std::optional<model::LeafGuard> make_guard(const SolverPairs& pairs);

}  // namespace nrs::learn
