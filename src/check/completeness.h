#pragma once
// Stuck terms: a symbol with rules over constructor terms, which no rule rewrites.
#include <string>
#include <vector>

#include "term/rule.h"

namespace nrs::check {

// One stuck term for each symbol with rules that has any, such as head(nil). A constructor is a
// symbol without rules. Left sides in which a variable stands twice, or with another symbol that
// has rules, or with conditions, are not counted on: so a term may be listed that they rewrite.
std::vector<std::string> stuck_terms(term::RuleSet rules);

}  // namespace nrs::check
