#include "term/match.h"

#include <algorithm>

#include "term/position.h"

namespace nrs::term {

bool match(const Terms& terms, Term pattern, Term subject, Substitution& substitution) {
  std::vector<std::pair<Term, Term>> left{{pattern, subject}};
  while (!left.empty()) {
    const auto [p, t] = left.back();
    left.pop_back();
    if (terms.ground(p)) {
      if (p != t) return false;
    } else if (terms.is_variable(p)) {
      const std::optional<Term> bound = substitution.find(terms.symbol(p));
      if (bound && *bound != t) return false;
      if (!bound) substitution.bind(terms.symbol(p), t);
    } else {
      if (terms.symbol(p) != terms.symbol(t)) return false;
      // From the left, so that the bindings are in the order of the pattern.
      for (std::size_t i = terms.args(p).size(); i-- > 0;) {
        left.emplace_back(terms.arg(p, i), terms.arg(t, i));
      }
    }
  }
  return true;
}

Term instantiate(Terms& terms, Term term, const Substitution& substitution) {
  return rebuild(terms, term, [&](Term part) -> std::optional<Term> {
    if (terms.ground(part)) return part;
    if (!terms.is_variable(part)) return std::nullopt;
    return substitution.find(terms.symbol(part)).value_or(part);
  });
}

bool same_up_to_renaming(const Terms& terms, Term a, Term b) {
  Substitution there;
  Substitution back;
  if (!match(terms, a, b, there) || !match(terms, b, a, back)) return false;
  return std::all_of(there.begin(), there.end(),
                     [&](const auto& binding) { return terms.is_variable(binding.second); });
}

}  // namespace nrs::term
