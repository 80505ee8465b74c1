#include "text/arithmetic.h"

#include <algorithm>
#include <charconv>

#include "text/lexer.h"

namespace nrs::text {

std::optional<Counted> counted(std::string_view token) {
  constexpr std::size_t kMostDigits = 9;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t at = 0;
  const bool negative = !token.empty() && (token[0] == '-' || token[0] == '~');
  if (negative || token.starts_with('+')) ++at;
  const auto begin = token.begin() + static_cast<std::ptrdiff_t>(at);
  const auto digits =
      static_cast<std::size_t>(std::find_if_not(begin, token.end(), is_digit) - begin);
  if (digits > kMostDigits) return {};
  Counted result{.number = 1, .head = token};
  if (digits > 0) std::from_chars(token.data() + at, token.data() + at + digits, result.number);
  if (negative) result.number = -result.number;
  at += digits;
  if (at == token.size()) return digits > 0 ? std::optional(result) : std::nullopt;
  while (at < token.size() && !is_word(token.substr(at)) && !is_digit(token[at])) ++at;
  // A word alone counts nothing.
  if (at == 0 || at == token.size() || is_digit(token[at])) return {};
  result.head = token.substr(0, at);
  result.tail = token.substr(at);
  return result;
}

long compute(const Computation& computation, long a, long b) {
  const long result = computation.operation == '+'   ? a + b
                      : computation.operation == '-' ? a - b
                                                     : a * b;
  if (computation.modulus == 0) return result;
  const long rest = result % computation.modulus;
  return computation.floored && rest < 0 ? rest + computation.modulus : rest;
}

}  // namespace nrs::text
