#pragma once
// A rule made ready for being tried on very many terms.
#include <cstdint>
#include <string_view>
#include <vector>

#include "term/term.h"

namespace nrs::induce {

using term::Symbol;
using term::Term;
using term::Terms;

// While rules are learned, a number n is the term #(n) (induce/numbers.h).
inline constexpr std::string_view kNumberMark = "#";

// left -> right, without conditions. Both sides are terms of one store.
struct Pair {
  Term left;
  Term right;
  bool operator==(const Pair&) const = default;
};
struct HashPair {
  std::size_t operator()(const Pair& pair) const {
    return (std::uint64_t{term::number(pair.left)} << 32 | term::number(pair.right)) *
               0x9e3779b97f4a7c15 >>
           7;
  }
};

// Both sides as lists of tests. Matching allocates nothing.
class Pattern {
 public:
  Pattern(const Terms& terms, const Pair& rule);

  const Pair& rule() const { return rule_; }
  // Whether the left side matches; then the two functions below speak of this subject.
  bool matches(Term subject);
  // Whether the rule turns the subject into this term.
  bool gives(Term result);
  // What the rule turns the subject into.
  Term result(Terms& terms) const;

 private:
  enum class Kind : std::uint8_t { kSymbol, kSame, kBound };
  struct Test {
    Kind kind;
    std::uint32_t slot;   // the term that is looked at
    std::uint32_t value;  // symbol, term, or slot of the variable
    std::uint32_t first;  // slot of the first argument
  };
  void compile(Term side, std::uint32_t slot, std::vector<Test>& tests);
  bool run(const std::vector<Test>& tests);

  const Terms& terms_;
  Pair rule_;
  std::vector<std::pair<Symbol, std::uint32_t>> variables_;
  std::vector<Test> left_;
  std::vector<Test> right_;
  std::uint32_t right_slot_ = 0;
  std::vector<Term> slots_;
};

}  // namespace nrs::induce
