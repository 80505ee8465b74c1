#pragma once
// Sorts for rule sets whose file has none.
#include "term/rule.h"

namespace nrs::term {

// The most general sorts under which all rules are well-sorted: two places have the same sort only
// if some rule forces it. Fills RuleSet::sorts and RuleSet::profiles; the sorts are called S1, S2,
// ... Does nothing if the set has sorts already.
void infer_sorts(RuleSet& rules);

}  // namespace nrs::term
