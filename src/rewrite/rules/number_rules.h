#pragma once
// Rules about numbers at work: those that only move numbers are applied, the others ask a Solver.
#include <optional>
#include <span>
#include <string>

#include "nrs/modules.h"
#include "nrs/stop.h"
#include "term/number_rule.h"
#include "term/reduce.h"

namespace nrs::rewrite::rules {

// Not thread-safe: each run has its own.
class NumberRules {
 public:
  // The rules are of this store. `solver` may be missing if nothing has to be computed.
  NumberRules(term::Terms& terms, std::span<const term::NumberRule> rules, const Solver* solver,
              double min_log_prob);

  // What becomes of the term; its rule is the number among these. Remembers what was said about it.
  term::Further ask(term::Term term);

  // Of the last term that a rule matched: the term, the rule, the solution, and why it was refused.
  term::Term term() const { return term_; }
  std::size_t rule() const { return rule_; }
  const Solution& solution() const { return solution_; }
  Stop refusal() const;

 private:
  bool compute(const term::NumberRule& rule, const term::Substitution& match);

  term::Terms& terms_;
  std::span<const term::NumberRule> rules_;
  const Solver* solver_;
  double min_log_prob_;
  term::Term term_{};
  std::size_t rule_ = 0;
  Solution solution_{};
};

}  // namespace nrs::rewrite::rules
