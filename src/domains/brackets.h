#pragma once
// The built-in domains, and what they have in common: all write an operator and its arguments in
// brackets.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "nrs/domain.h"

namespace nrs::domains {

const Domain& logic();
const Domain& listops();
const Domain& arithmetic();
const Domain& algebra();

struct Notation {
  std::string_view name;
  std::string_view alphabet;
  std::string_view longest_leaf;  // one of them; it has the brackets
};

// A domain whose leaves are the innermost bracket pairs that have a value.
class BracketDomain : public Domain {
 public:
  explicit BracketDomain(const Notation& notation)
      : notation_(notation),
        open_(notation.longest_leaf.front()),
        close_(notation.longest_leaf.back()) {}

  std::string_view name() const override { return notation_.name; }
  std::string_view alphabet() const override { return notation_.alphabet; }
  std::size_t longest_leaf() const override { return notation_.longest_leaf.size(); }
  std::vector<Span> leaves(std::string_view text) const override;
  int nesting(std::string_view formula) const override;
  void merge_signs(std::string& formula) const override;
  void generate(const Shape& shape, Rng& rng, Sample& sample) const override;

 protected:
  // Draws a formula into an empty `text`; returns its value.
  virtual std::string draw(const Shape& shape, bool merge, Rng& rng, std::string& text) const = 0;

 private:
  Notation notation_;
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

// Adds a sign. If signs are merged, it becomes one with a sign before it.
inline void append_sign(char sign, bool merge, std::string& text) {
  if (merge && !text.empty() && (text.back() == '+' || text.back() == '-')) {
    text.back() = text.back() == sign ? '+' : '-';
  } else {
    text += sign;
  }
}

// Adds a number of up to two digits, without its sign.
inline void append_magnitude(int number, std::string& text) {
  const int magnitude = number < 0 ? -number : number;
  if (magnitude >= 10) text += static_cast<char>('0' + magnitude / 10);
  text += static_cast<char>('0' + magnitude % 10);
}

inline constexpr int kMostNegative = -99;
inline constexpr int kMostPositive = 99;
inline constexpr std::size_t kNumbers = 199;

}  // namespace nrs::domains
