#pragma once
// Leaves whose value is the same whatever the order of some of their tokens: (2+5) and (5+2).
#include <utility>
#include <vector>

#include "teach/draft.h"

namespace nrs::teach {

// Leaves of one pattern with their values.
using LeafValues = std::vector<std::pair<const Row*, const Row*>>;

// How often two examples of the same leaf give it different values: wrong lines.
double doubt_of(const Draft::Values& values);

// The places of a pattern that may change places: leaves that differ only in the order of what
// stands there have different values hardly more often than `doubt`. All places of a class together
// are tried first, then two at a time. Empty if there are none, or too few leaves to tell.
text::AnyOrder groups_of(const Corpus& corpus, const Symbols& body, const LeafValues& leaves,
                         double doubt);

}  // namespace nrs::teach
