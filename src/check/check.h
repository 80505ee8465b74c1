#pragma once
// What can be proved of rules: termination, confluence, completeness. The certificate is JSON and
// holds what is needed to check it again: verify.h does, and shares no code with the search.
#include <optional>
#include <string>
#include <vector>

#include "check/confluence.h"
#include "check/orders.h"

namespace nrs::check {

enum class Answer { kYes, kNo, kUnknown };

struct Checked {
  std::optional<TerminationProof> termination;
  Confluence confluence;
  std::vector<std::string> stuck;

  // Yes or unknown: non-termination is not looked for.
  Answer terminating() const { return termination ? Answer::kYes : Answer::kUnknown; }
  // If the rules terminate, critical pairs decide; otherwise orthogonality is enough.
  Answer confluent() const;
  bool convergent() const { return terminating() == Answer::kYes && confluent() == Answer::kYes; }
};

// Throws Error (input) for rules with conditions: critical pairs do not decide about them.
Checked check_rules(term::RuleSet& rules);

// "a recursive path order", "polynomials, then a Knuth-Bendix order"
std::string show_orders(const TerminationProof& proof);

// One line of JSON.
std::string certificate(const term::RuleSet& rules, const Checked& checked);

}  // namespace nrs::check
