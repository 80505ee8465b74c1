#include "term/chain.h"

namespace nrs::term {

Chain derive(RuleSet& rules, Reducer& reducer, Term term, Strategy strategy,
             const ChainLimits& limits) {
  reducer.set_limit(limits.most_hidden);
  Chain chain;
  chain.terms.push_back(term);
  while (rules.terms.size(chain.terms.back()) <= limits.max_size) {
    const Term last = chain.terms.back();
    const std::optional<Redex> redex = reducer.next(last, strategy);
    if (!redex) {
      chain.finished = !reducer.exhausted();
      break;
    }
    if (chain.terms.size() > limits.max_steps) break;
    chain.terms.push_back(replace(rules.terms, last, redex->position, redex->contractum));
  }
  return chain;
}

std::string to_string(const Terms& terms, const Chain& chain, Notation notation) {
  std::string line;
  for (const Term term : chain.terms) {
    if (!line.empty()) line += " -> ";
    print_term(terms, term, notation, line);
  }
  if (!chain.finished) line += " -> ...";
  return line;
}

}  // namespace nrs::term
