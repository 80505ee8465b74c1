#pragma once
// What validation says of a module.
#include <optional>

namespace nrs {

// Parts of the validation examples that come out exactly right, from 0 to 1.
struct Score {
  double known = 0;   // examples like those of the training (ID)
  double beyond = 0;  // deeper formulas, unseen leaves (OOD); the same as `known` if there are none

  bool perfect() const { return known >= 1 && beyond >= 1; }
  // Beyond what was trained first: that is what the modules are for.
  bool at_least(const Score& other) const {
    return beyond != other.beyond ? beyond > other.beyond : known >= other.known;
  }
};

// `exact(examples)` is the share of examples that come out right, or nothing if it was told to
// stop: then there is no score. A Validation has known_levels and deeper_levels.
template <class Validation, class Exact>
std::optional<Score> score_levels(const Validation& validation, const Exact& exact) {
  const std::optional<double> known = exact(validation.known_levels);
  if (!known) return std::nullopt;
  if (validation.deeper_levels.empty()) return Score{.known = *known, .beyond = *known};
  const std::optional<double> beyond = exact(validation.deeper_levels);
  if (!beyond) return std::nullopt;
  return Score{.known = *known, .beyond = *beyond};
}

}  // namespace nrs
