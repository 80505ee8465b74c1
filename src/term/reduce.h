#pragma once
// Plain rewriting in a store of terms: one step at a time, or to the normal form. Made for chains,
// for checks and for comparison; src/rewrite/rules has the fast engine.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "term/match.h"
#include "term/position.h"
#include "term/rule.h"
#include "term/term.h"

namespace nrs::term {

// A place where a rule applies, and what it makes of the subterm there.
struct Redex {
  Position position;
  std::size_t rule = 0;  // number in the rule set
  Term contractum{};
};

// What becomes of a term at whose root no rule applies; both empty: nothing.
struct Further {
  std::optional<Redex> redex{};
  bool refused = false;  // something must become of it, but it is not known what
};
using AskFurther = std::function<Further(Term)>;

enum class Strategy { kInnermost, kOutermost };  // from the left, both

// Rewrites terms of one store by rules in the same store; where several rules apply, the first one
// is taken. Remembers the normal form of every term that it has seen, so what is asked twice costs
// nothing the second time. Nothing recurses, conditions neither.
class Reducer {
 public:
  // Both must outlive the reducer. All steps together, those in conditions too, are limited by
  // set_limit(); so are the conditions that are looked at.
  Reducer(Terms& terms, std::span<const Rule> rules);

  // The first rule that applies at the root, whatever is below it. Nothing if none does, or if its
  // conditions could not be decided within the limit: then exhausted() is true.
  std::optional<Redex> at_root(Term term);
  // The leftmost-innermost or leftmost-outermost redex; nothing in a normal form.
  std::optional<Redex> next(Term term, Strategy strategy);
  // The normal form, innermost. Nothing if the limit was reached first.
  std::optional<Term> normal_form(Term term);

  // From now on so many steps may be done; exhausted() is false again.
  void set_limit(std::size_t steps);
  std::size_t steps_left() const { return steps_left_; }
  // Also after a refusal.
  bool exhausted() const { return exhausted_; }
  // Asked at the root of a term to which no rule applies; its redexes are counted on from the last
  // rule. After a refusal nothing is rewritten any more.
  void set_further(AskFurther ask) { further_ = std::move(ask); }
  bool refused() const { return refused_; }
  // Whether more than so many terms are in the store counts as reaching the limit, too.
  void set_most_terms(std::size_t most) { most_terms_ = most; }

  // Must be called after Terms::shrink().
  void forget_from(std::size_t count);

 private:
  static constexpr std::uint32_t kUnknown = 0xffffffff;

  // What waits for a value.
  struct Frame {
    enum class Kind { kArgs, kResult, kCondition } kind;
    Term term;                    // whose arguments, whose normal form, whose redex
    std::uint32_t next = 0;       // argument, or rule
    std::uint32_t condition = 0;  // its number, times two, plus one for its right side
    Term left{};                  // value of the left side
  };

  std::optional<Term> run(Term goal, std::size_t bottom);
  void apply_rules(Term term, std::uint32_t rule);
  bool count_step();
  void contract(Term term, const Rule& rule);
  void become(Term term, Term result);
  std::optional<Redex> ask_further(Term term);
  void open_condition(Frame frame);
  void take_condition(Frame frame, Term value);
  void give(Term value);
  std::span<const std::uint32_t> candidates(Term term) const;
  Term known(Term term) const;
  void learn(Term term, Term normal);
  bool conditions_hold(const Rule& rule, const Substitution& substitution);
  std::optional<Redex> innermost(Term term);
  std::optional<Redex> outermost(Term term);

  Terms& terms_;
  std::span<const Rule> rules_;
  std::vector<std::vector<std::uint32_t>> by_root_;  // rules of each symbol
  std::vector<std::uint32_t> normal_;                // of each term; kUnknown if not known
  std::vector<Frame> frames_;
  std::vector<Term> values_;
  Substitution substitution_;
  std::size_t steps_left_;
  std::size_t most_terms_;
  bool exhausted_ = false;
  bool refused_ = false;
  AskFurther further_;
};

}  // namespace nrs::term
