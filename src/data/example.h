#pragma once
// The domain-free rewrite example: all that learning code ever sees of a rewriting system.
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "nrs/domain.h"
#include "nrs/formula.h"

namespace nrs {

// A formula with the leaves that can be rewritten now and their values, left to right; or the mark
// that it is final (then there are no steps: the Selector should take it whole, and the Solver
// should answer omega).
struct RewriteExample {
  std::string formula;
  std::vector<Step> steps;
  bool final = false;

  bool operator==(const RewriteExample&) const = default;
};

// The example that a domain makes of a formula.
RewriteExample make_example(const Domain& domain, std::string formula);

// What the paper's NRS selects: the last leaf, or a final formula whole.
std::string_view last_leaf(const RewriteExample& example);

// One character per character of the formula: '1' inside a leaf (and all over a final formula),
// '0' outside. Touching leaves run together, as in the authors' files; the steps keep them apart.
std::string leaf_mask(const RewriteExample& example);

// Rewrites the last leaf of a formula `count` times, and merges signs after each rewrite if
// `merge_signs`: the authors print intermediate formulas like the formula they came from. Returns
// false if the formula has fewer rewrites than that in it or is an atom afterwards.
bool rewrite_last(const Domain& domain, int count, bool merge_signs, std::string& formula);

// One round in which chance leaves some leaves standing: each is rewritten with the probability
// `part`, and one in any case. So a leaf meets neighbours of every age, and formulas become as
// lopsided as people write them. Returns false if there was nothing to rewrite.
bool rewrite_some(const Domain& domain, double part, Rng& rng, std::string& formula);

}  // namespace nrs
