#pragma once
// Limits that every derivation obeys, in every engine.
#include <cstddef>
#include <string_view>

namespace nrs::rewrite {

// The default limit on the number of rewrites of a formula. A convergent system that ends in an
// atom needs fewer than one per character.
inline std::size_t default_max_steps(std::size_t length) {
  return length + 64;
}

// Opening minus closing brackets. A rewrite that changes it takes a bracket from its partner.
int bracket_balance(std::string_view text);

}  // namespace nrs::rewrite
