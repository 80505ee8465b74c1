#pragma once
// Says of a candidate rule what it explains and what speaks against it.
#include <cstdint>
#include <optional>
#include <vector>

#include "induce/evidence.h"
#include "induce/pattern.h"

namespace nrs::induce {

struct Verdict {
  std::vector<std::uint32_t> explained;  // examples that the rule gives
  std::uint32_t steps = 0;               // of these
  std::uint32_t contradictions = 0;      // normal forms that it would rewrite, wrong results
  std::uint32_t direct = 0;   // explained examples that are the lowest candidates of a step
  std::uint32_t detours = 0;  // examples of which it gives another result with the same normal form
};

class Judge {
 public:
  // `tolerance`: how many contradictions a rule may have, as a fraction of the steps it explains.
  Judge(Terms& terms, const Evidence& evidence, double tolerance)
      : terms_(terms), evidence_(evidence), tolerance_(tolerance) {}

  // Rules that were found; they help to see that two results have one normal form.
  void accept(const Pair& rule);
  // Nothing if too much speaks against the rule. Many detours do, unless they are allowed.
  enum class Detours { kFew, kMany };
  std::optional<Verdict> judge(const Pair& rule, Detours detours = Detours::kFew);

 private:
  bool too_many(const Verdict& verdict) const;
  bool judge_normals(const RootFacts& facts, Pattern& pattern, Verdict& verdict) const;
  bool judge_examples(const RootFacts& facts, Pattern& pattern, Verdict& verdict);
  static bool few_detours(const Verdict& verdict);
  bool joins(Term redex, Term result, Pattern& rule);
  std::optional<Term> normalise(Term term, Pattern& rule, int& fuel, int depth);
  std::optional<Term> rewrite_root(Term term, Pattern& rule);

  Terms& terms_;
  const Evidence& evidence_;
  const double tolerance_;
  std::vector<std::vector<Pattern>> accepted_;  // by root symbol
};

}  // namespace nrs::induce
