#pragma once
// Leaves that differ only in their numbers look alike; a shape that few of them have is learnt
// late.
#include <string>
#include <string_view>
#include <vector>

#include "learn/examples/pair_list.h"

namespace nrs {

// The leaf and its value with every run of digits as one '#': "(-19*x+20*x)", "+x" ->
// "(-#*x+#*x)=+x".
std::string leaf_shape(std::string_view leaf, std::string_view value);

// How many times rarer than the commonest the shape of each pair is, to the power `rarity`; 1 for
// final formulas.
std::vector<float> rarities(const PairList& pairs, double rarity);

}  // namespace nrs
