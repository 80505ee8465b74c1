#pragma once
// What the domains have in common: all write an operator and its arguments in brackets.
#include <cstddef>
#include <string_view>
#include <vector>

#include "nrs/domain.h"

namespace nrs::domains {

// The fraction of formulas with numbers that are printed as people write them: `(5--3)` as `(5+3)`.
inline constexpr double kMergeSigns = 0.8;

// A domain whose leaves are the innermost bracket pairs that have a value.
class BracketDomain : public Domain {
 public:
  BracketDomain(char open, char close) : open_(open), close_(close) {}

  std::vector<Span> leaves(std::string_view text) const override;
  int nesting(std::string_view formula) const override;

 private:
  char open_;
  char close_;
};

// Nodes of a full binary skeleton of this depth: 2^nesting - 1, saturating where no formula could
// be that large.
std::size_t full_tree_operators(int nesting);

// Keeps a number within -99..99: its sign and its last two digits. -448 becomes -48.
inline int sign_preserving_modulo(int value) {
  return value % 100;
}

inline constexpr int kMostNegative = -99;
inline constexpr int kMostPositive = 99;

}  // namespace nrs::domains
