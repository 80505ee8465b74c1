#pragma once
// Random well-sorted ground terms.
#include <cstddef>
#include <optional>
#include <vector>

#include "base/rng.h"
#include "term/rule.h"

namespace nrs::term {

// Draws terms of a set with sorts (infer_sorts() gives it some). Roots are symbols with rules, as
// far as there are such with ground terms. One branch goes down as deep as asked, if the symbols
// allow it; elsewhere every symbol of the right sort that fits is as likely as every other.
class RandomTerms {
 public:
  // Adds new constants, called a, b, c, ... unless the rules use these names:
  //   to each sort without a ground term, `constants`, but at least one; unset: two;
  //   to each sort with finitely many terms of constructors, `constants`; unset: two, where there
  //   is at most one such term, because nothing could be told apart there.
  explicit RandomTerms(RuleSet& rules, std::optional<std::size_t> constants = {});

  // A term of at most this depth, where a constant has depth 1; deeper only if the rules have none
  // so shallow. Does not recurse.
  Term draw(std::size_t depth, Rng& rng);

  // The constants that were added.
  const std::vector<Symbol>& added() const { return added_; }

 private:
  // How many constructor terms a sort has, in the end or for ever growing.
  struct Count {
    std::size_t terms = 0;
    bool finite = true;
  };

  void find_least_depths();
  std::vector<Count> count_constructor_terms() const;
  void add_constants(std::optional<std::size_t> constants);
  void add_constants(std::uint32_t sort, std::size_t count);
  void add_constant(std::uint32_t sort);
  Symbol choose(std::span<const Symbol> symbols, std::size_t depth, bool deep, Rng& rng);

  RuleSet& rules_;
  std::vector<bool> defined_;                 // of each symbol: whether a rule rewrites it
  std::vector<std::vector<Symbol>> of_sort_;  // symbols by the sort of their result
  std::vector<std::size_t> least_depth_;      // of the terms with each root symbol
  std::vector<Symbol> roots_;
  std::vector<Symbol> added_;
  std::vector<Symbol> fitting_;  // for choose()
};

}  // namespace nrs::term
