#pragma once
// Formulas of a system of which only the leaves and their values are known: each is made backwards,
// from a final text, by putting leaves in the place of their values.
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compile/texts.h"
#include "rewrite/modular.h"

namespace nrs::compile {

struct SolvedLeaves {
  std::vector<std::pair<std::string, std::string>> steps;  // leaves and their values
  std::vector<std::string> finals;
};
// What a Solver says of some texts; those that it does not know are left out.
SolvedLeaves solve_leaves(const Solver& solver, std::span<const std::string> leaves);

// Only such places count where the Rewriter finds the new leaf. It must outlive the result. Throws
// Error (input) if no final text is known.
Texts grown_texts(const rewrite::ModularRewriter& rewriter, SolvedLeaves leaves,
                  std::uint64_t seed);

}  // namespace nrs::compile
