#pragma once
// A rewrite example: all that learning code ever sees of a rewriting system.
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "nrs/domain.h"
#include "nrs/formula.h"

namespace nrs::data {

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

// One character per character of the formula: '1' inside a leaf (and everywhere in a final
// formula), '0' outside. Adjacent leaves merge, as in the authors' files; the steps keep them
// apart.
std::string leaf_mask(const RewriteExample& example);

// Rewrites the last leaf of a formula `count` times, and merges signs after each rewrite if
// `merge_signs`: the authors print intermediate formulas like the formula they came from. Returns
// false if the formula has fewer rewrites than that, or is an atom afterwards.
bool rewrite_last(const Domain& domain, int count, bool merge_signs, std::string& formula);

// What people see of a derivation half-way: a formula of this nesting after some rewrites of the
// last leaf, or as it was if it has not so many.
void rewrite_partly(const Domain& domain, int nesting, Rng& rng, Sample& sample);

// One round that rewrites a random subset of the leaves: each with probability `part`, and at least
// one. Leaves then have neighbours at every stage of rewriting, and formulas become as lopsided as
// those that people write. Returns false if there was nothing to rewrite.
bool rewrite_some(const Domain& domain, double part, Rng& rng, std::string& formula);

}  // namespace nrs::data
