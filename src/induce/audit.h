#pragma once
// Checks rules against chains, line by line: which rule explains which step, and what is left over.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "induce/chain.h"
#include "induce/pattern.h"

namespace nrs::induce {

// What the chains say for one rule.
struct Support {
  std::uint64_t steps = 0;           // that it explains
  std::unordered_set<Term> redexes;  // the different ones
  std::vector<std::uint32_t> lines;  // in which it does, ascending
};

// The arguments in which two terms differ; none if their root symbols do.
std::vector<Pair> differing_args(const Terms& terms, const Pair& pair);

class Audit {
 public:
  // Whether a step may rewrite several places at once.
  enum class AtOnce { kSeveral, kOne };
  Audit(Terms& terms, std::span<const Pair> rules, AtOnce places = AtOnce::kSeveral);

  // What is wrong with the chain; nothing if every step is a rewrite by the rules, at as many
  // places as it may be, and the last term has no redex. Support is counted if all is well, or
  // always.
  enum class Count { kIfRight, kAlways };
  std::optional<std::string> check(const Chain& chain, Count count = Count::kIfRight);
  const std::vector<Support>& support() const { return support_; }
  // Whether the rules make this step.
  bool explains(const Pair& step);
  // Whether the rules speak against the first step of the chain that they do not make: if steps
  // come in this order, another one would have been made, there or elsewhere. Otherwise a rule may
  // be missing.
  enum class Refuted { kNot, kThere, kElsewhere };
  Refuted refutes(const Chain& chain, bool innermost, bool leftmost);
  // Whether no rule rewrites the term, at any place.
  bool normal(Term term);

 private:
  struct Use {
    std::uint32_t rule;
    Term redex;
  };
  std::optional<std::string> find_fault(const Chain& chain, std::vector<Use>& uses);
  bool explain(Pair step, std::vector<Use>& uses);
  bool explain_at(const Pair& pair, std::vector<Use>& uses);
  bool matches_root(Term term);

  Terms& terms_;
  AtOnce places_;
  std::vector<std::vector<std::pair<std::uint32_t, Pattern>>> rules_;  // by root symbol
  std::vector<char> normal_;  // by number of the term: 0 unknown, 1 yes, 2 no
  std::vector<Support> support_;
};

}  // namespace nrs::induce
