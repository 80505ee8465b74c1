#pragma once
// What engines take for granted about a rewriting system, and the limits that follow from it.
#include <algorithm>
#include <cstddef>
#include <string_view>

namespace nrs::rewrite {

// Opening minus closing brackets. A rewrite that changes it takes a bracket from its partner.
inline int bracket_balance(std::string_view text) {
  int balance = 0;
  for (const char c : text) {
    if (c == '(' || c == '[' || c == '{') ++balance;
    if (c == ')' || c == ']' || c == '}') --balance;
  }
  return balance;
}

struct Habits {
  bool balanced = true;  // no rewrite changes the balance of brackets
  bool erases = false;   // a value may be empty; blanks then only separate tokens
  // How many rewrites a formula of n characters may need: linear * n + quadratic * n * n. A system
  // that ends in an atom needs fewer than one per character.
  double linear = 1;
  double quadratic = 0;

  // The default limit on the number of rewrites of a formula.
  std::size_t max_steps(std::size_t length) const {
    constexpr double kMost = 1e15;
    const auto n = static_cast<double>(length);
    return 64 + static_cast<std::size_t>(std::min(kMost, linear * n + quadratic * n * n));
  }
  // Whether a leaf may become this value.
  bool allow(std::string_view leaf, std::string_view value) const {
    if (value.empty() && !erases) return false;
    return !balanced || bracket_balance(leaf) == bracket_balance(value);
  }
};

}  // namespace nrs::rewrite
