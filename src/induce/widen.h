#pragma once
// Generalises a rule beyond what its examples have in common, as far as nothing speaks against it.
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "induce/evidence.h"
#include "induce/pattern.h"

namespace nrs::induce {

struct Found {
  Pair rule;
  std::vector<std::uint32_t> explained;  // examples
};

class Widener {
 public:
  // What a rule explains; null if something speaks against it.
  using Ask = std::function<const std::vector<std::uint32_t>*(const Pair&)>;

  // `found`: all rules, to see which symbols belong to the system.
  Widener(Terms& terms, const Evidence& evidence, std::span<const Found> found, Ask ask);

  // Least general generalisation keeps what all examples share. That is too much where they are
  // few, and where a place can hold nothing else: a single constant of its kind, or a stuck term of
  // a symbol that has rules.
  Pair widen(const Found& found);

 private:
  enum class Where { kBothSides, kLeftOnly };
  struct Trust {             // what the number of examples allows
    bool structure = false;  // subterms with variables may be made variables
    bool constants = false;  // constants of the system too, where they stand on both sides
  };
  void find_own_constants(std::span<const Found> found);
  bool is_own(Term part) const;
  bool is_function(const Pair& rule, Term part) const;
  bool only_own_constants(Term term) const;
  bool may_widen(const Pair& rule, Term part, Where where, Trust trust) const;
  bool widen_once(Pair& rule, Where where, Trust trust);
  bool split_variable(Pair& rule);
  std::ptrdiff_t direct_examples(const Pair& rule) const;
  bool try_rule(Pair& rule, const Pair& next);
  std::vector<term::Position> places(Term side, Term variable) const;

  Terms& terms_;
  const Evidence& evidence_;
  Ask ask_;
  std::unordered_set<Symbol> own_constants_;  // that rules bring in
  std::unordered_set<Symbol> defined_;        // roots of rules
  bool applicative_ = false;                  // all terms are made of constants and one symbol
};

}  // namespace nrs::induce
