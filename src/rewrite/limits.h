#pragma once
// What engines take for granted about a rewriting system, and the limits that follow from it.
#include <cstddef>
#include <string_view>

namespace nrs::rewrite {

struct Habits {
  bool balanced = true;  // no rewrite changes the balance of brackets
  bool erases = false;   // a value may be empty; blanks then only separate tokens
  // How many rewrites a formula of n characters may need: linear * n + quadratic * n * n. A system
  // that ends in an atom needs fewer than one per character.
  double linear = 1;
  double quadratic = 0;

  // The default limit on the number of rewrites of a formula.
  std::size_t max_steps(std::size_t length) const;
  // Whether a leaf may become this value.
  bool allow(std::string_view leaf, std::string_view value) const;
};

// Opening minus closing brackets. A rewrite that changes it takes a bracket from its partner.
int bracket_balance(std::string_view text);

}  // namespace nrs::rewrite
