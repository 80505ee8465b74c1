#pragma once
// Formulas of a domain at every stage of rewriting: what a Selector meets.
#include <cstdint>
#include <string>
#include <vector>

#include "base/rng.h"
#include "compile/texts.h"
#include "nrs/domain.h"
#include "nrs/rewriter.h"

namespace nrs::eval {

// What a Selector should find in a formula: all leaves or the last one, or all of it if it is
// final.
std::vector<Span> expected_leaves(const Domain& domain, std::string_view formula,
                                  Leaves wanted = Leaves::kAll);

// A formula and all that becomes of it. In every other one all leaves are rewritten in each round,
// as an engine does that is sure of all; in the others chance leaves some standing, so that leaves
// meet neighbours of every age.
std::vector<std::string> stages_of_formula(const Domain& domain, std::uint64_t seed,
                                           std::uint64_t number);

// A formula in which one of the leaves has no value: one of `valueless`.
std::string spoilt_formula(const Domain& domain, const std::vector<std::string>& valueless,
                           Rng& rng);

// Formulas with values to compile a Selector by, from all these domains: those above, and such with
// formulas in the place of leaves, which have any shape.
compile::Texts texts_of(const std::vector<const Domain*>& domains, std::uint64_t seed);

}  // namespace nrs::eval
