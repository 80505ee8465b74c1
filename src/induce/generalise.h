#pragma once
// Least general generalisation of rules.
#include <optional>

#include "induce/pattern.h"

namespace nrs::induce {

// The most special rule of which both are instances, if there is one. Left and right sides are
// generalised together: two different subterms that face each other become a variable, the same two
// the same variable, wherever they stand. So variables that are dropped, copied or repeated come
// out by themselves. There is none if the roots differ or if a variable would stand only on the
// right. The variables are called ?1, ?2, ... from the left, so equal rules are equal pairs.
std::optional<Pair> generalise(Terms& terms, const Pair& a, const Pair& b);

// The same rule with its variables named as above; nothing if one stands only on the right.
std::optional<Pair> with_canonical_names(Terms& terms, const Pair& rule);

}  // namespace nrs::induce
