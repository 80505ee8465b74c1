#pragma once
// The Combiner of the NRS: finds the leaf that the Selector wrote in the formula that it read.
//
// The paper does it by a convolution whose filter is the leaf, both as one-hot vectors over the
// same vocabulary. The product of two one-hot vectors is 1 where the tokens are the same and else
// 0, so the convolution counts, at each place, the tokens that agree; vectors are not needed for
// that.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nrs::runtime {

struct Match {
  std::size_t position = 0;  // of the first token of the leaf, in the formula
  double agreement = 0;      // part of the leaf's tokens that agree there
};

// The place of the best agreement. Of equally good ones the last, where the paper takes the first:
// the Selector writes the last leaf, and rewriting from the end keeps what is before as it is.
template <class Token>
Match best_match(std::span<const Token> formula, std::span<const Token> leaf) {
  Match best;
  if (leaf.empty()) return best;
  // What agrees entirely needs no counting.
  const auto whole = std::find_end(formula.begin(), formula.end(), leaf.begin(), leaf.end());
  if (whole != formula.end()) return {static_cast<std::size_t>(whole - formula.begin()), 1.0};
  // At each place, how many tokens of the leaf agree; what stands over the end of the formula
  // agrees with nothing, as zeros do.
  std::vector<std::int32_t> scores(formula.size());
  for (std::size_t j = 0; j < leaf.size() && j < formula.size(); ++j) {
    const std::size_t places = formula.size() - j;
    for (std::size_t i = 0; i < places; ++i) scores[i] += formula[i + j] == leaf[j] ? 1 : 0;
  }
  std::int32_t most = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] < most || scores[i] == 0) continue;
    most = scores[i];
    best.position = i;
  }
  best.agreement = static_cast<double>(most) / static_cast<double>(leaf.size());
  return best;
}

}  // namespace nrs::runtime
