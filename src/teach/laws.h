#pragma once
// What the values of the leaves of one pattern have in common. Leaves whose value is the same
// whatever the order of some of their tokens: (2+5) and (5+2). Leaves whose value is one of their
// tokens.
#include <cstdint>

#include "teach/draft.h"

namespace nrs::teach {

// Comparisons of values that should be the same.
struct Agreement {
  std::uint64_t compared = 0;
  std::uint64_t different = 0;

  double share() const;
  // Whether enough was compared, and values differ hardly more often than `doubt`, or never if
  // there is none: then an exception is one.
  bool holds(double doubt) const;
};

// How often two examples of the same leaf give it different values: wrong lines.
double doubt_of(const Draft::Values& values);

// The places of a pattern that may change places: leaves that differ only in the order of what
// stands there have different values hardly more often than `doubt`. All places of a class together
// are tried first, then two at a time. Empty if there are none, or too few leaves to tell.
text::AnyOrder groups_of(const Corpus& corpus, const Symbols& body, const LeafValues& leaves,
                         double doubt);

// The places whose tokens make no difference: leaves that differ only there have different values
// hardly more often than `doubt`. The leaves have what may come in any order sorted.
text::NoMatter no_matter(const Symbols& body, const LeafValues& leaves, double doubt);

// The place of the token that the value always is, wrong lines apart.
std::optional<std::size_t> copied_place(const Symbols& body, const LeafValues& leaves,
                                        double doubt);

}  // namespace nrs::teach
