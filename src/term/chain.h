#pragma once
// Worked examples: derivations written down, t0 -> t1 -> ... -> tn.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "term/reduce.h"
#include "term/rule.h"

namespace nrs::term {

struct ChainLimits {
  std::size_t max_steps = 200;
  std::size_t max_size = 5000;        // symbols of a term
  std::size_t most_hidden = 100'000;  // steps in conditions
};

// All terms of a derivation from the first on; `finished` says that the last is a normal form.
struct Chain {
  std::vector<Term> terms;
  bool finished = false;
};
Chain derive(RuleSet& rules, Reducer& reducer, Term term, Strategy strategy,
             const ChainLimits& limits);

// One line without its end; a chain that was cut short ends in " -> ...".
std::string to_string(const Terms& terms, const Chain& chain, Notation notation);

}  // namespace nrs::term
