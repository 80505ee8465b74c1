#include "rewrite/limits.h"

#include <algorithm>

namespace nrs::rewrite {

std::size_t Habits::max_steps(std::size_t length) const {
  constexpr double kMost = 1e15;
  const auto n = static_cast<double>(length);
  return 64 + static_cast<std::size_t>(std::min(kMost, linear * n + quadratic * n * n));
}

bool Habits::allow(std::string_view leaf, std::string_view value) const {
  if (value.empty() && !erases) return false;
  return !balanced || bracket_balance(leaf) == bracket_balance(value);
}

int bracket_balance(std::string_view text) {
  int balance = 0;
  for (const char c : text) {
    if (c == '(' || c == '[' || c == '{') ++balance;
    if (c == ')' || c == ']' || c == '}') --balance;
  }
  return balance;
}

}  // namespace nrs::rewrite
