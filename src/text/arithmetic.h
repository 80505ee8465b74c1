#pragma once
// Tokens that are numbers, with what is carried along behind them, and what is computed from two of
// them: (+5*x-3*x) is +2*x.
#include <cstddef>
#include <optional>
#include <string_view>

namespace nrs::text {

// A token as a number: "+5*x" is 5 with the head "+5*" and the tail "x"; "-x" is -1; "7" is 7.
struct Counted {
  long number = 0;
  std::string_view head{};
  std::string_view tail{};  // from the first letter on; empty if there is none
};

// Nothing if the token is no such number, or one of more than nine digits.
std::optional<Counted> counted(std::string_view token);

// The value of a leaf: the numbers of two of its tokens, combined. All tails are the same, and the
// value has it, too.
struct Computation {
  char operation = '+';  // or '-', '*'
  std::size_t left = 0;  // places of the leaf
  std::size_t right = 0;
  long modulus = 0;      // the remainder by it; 0: the result as it is
  bool floored = false;  // the remainder is never negative; else it has the sign of the result

  bool operator==(const Computation&) const = default;
};

long compute(const Computation& computation, long a, long b);

}  // namespace nrs::text
