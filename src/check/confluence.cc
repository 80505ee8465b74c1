#include "check/confluence.h"

#include <algorithm>
#include <unordered_map>

#include "term/match.h"

namespace nrs::check {
namespace {

using term::Symbol;
using term::Term;
using term::Terms;

constexpr std::size_t kMostSteps = 20'000;
constexpr std::size_t kMostShown = 10;

// The most general substitution under which two terms are equal, found step by step: bindings may
// hold variables that are bound themselves.
class Unifier {
 public:
  explicit Unifier(Terms& terms) : terms_(terms) {}

  bool unify(Term a, Term b) {
    std::vector<std::pair<Term, Term>> open{{a, b}};
    while (!open.empty()) {
      auto [s, t] = open.back();
      open.pop_back();
      s = bound(s);
      t = bound(t);
      if (s == t) continue;
      if (!terms_.is_variable(s)) std::swap(s, t);
      if (terms_.is_variable(s)) {
        if (occurs(s, t)) return false;
        bindings_[terms_.symbol(s)] = t;
        continue;
      }
      if (terms_.symbol(s) != terms_.symbol(t)) return false;
      for (std::size_t i = 0; i < terms_.args(s).size(); ++i) {
        open.emplace_back(terms_.arg(s, i), terms_.arg(t, i));
      }
    }
    return true;
  }

  Term apply(Term term) {
    Term now = term;
    while (true) {  // each round replaces at least one variable for good
      term::Substitution substitution;
      for (const Symbol variable : term::variables_of(terms_, now)) {
        const auto found = bindings_.find(variable);
        if (found != bindings_.end()) substitution.bind(variable, found->second);
      }
      if (substitution.size() == 0) return now;
      now = term::instantiate(terms_, now, substitution);
    }
  }

 private:
  Term bound(Term term) const {
    while (terms_.is_variable(term)) {
      const auto found = bindings_.find(terms_.symbol(term));
      if (found == bindings_.end()) return term;
      term = found->second;
    }
    return term;
  }

  bool occurs(Term variable, Term term) const {
    std::vector<Term> open{term};
    while (!open.empty()) {
      const Term top = bound(open.back());
      open.pop_back();
      if (top == variable) return true;
      if (terms_.ground(top)) continue;
      for (const Term arg : terms_.args(top)) open.push_back(arg);
    }
    return false;
  }

  Terms& terms_;
  std::unordered_map<Symbol, Term> bindings_;
};

// The rule with other variables.
term::Rule renamed(Terms& terms, const term::Rule& rule) {
  term::Substitution fresh;
  for (const Symbol variable : term::variables_of(terms, rule.left)) {
    fresh.bind(variable, terms.variable(terms.name(variable) + "'"));
  }
  return {term::instantiate(terms, rule.left, fresh), term::instantiate(terms, rule.right, fresh)};
}

bool left_linear(const Terms& terms, Term left) {
  std::size_t places = 0;
  term::for_each_subterm(terms, left, [&](Term part, const term::Position&) {
    places += terms.is_variable(part);
    return term::Visit::kDeeper;
  });
  return places == term::variables_of(terms, left).size();
}

}  // namespace

std::vector<CriticalPair> critical_pairs(term::RuleSet& rules) {
  Terms& terms = rules.terms;
  std::vector<CriticalPair> pairs;
  for (std::size_t inner = 0; inner < rules.rules.size(); ++inner) {
    const term::Rule below = renamed(terms, rules.rules[inner]);
    for (std::size_t outer = 0; outer < rules.rules.size(); ++outer) {
      const term::Rule above{rules.rules[outer].left, rules.rules[outer].right};
      term::for_each_subterm(terms, above.left, [&](Term part, const term::Position& at) {
        if (terms.is_variable(part)) return term::Visit::kPastIt;
        // At the root each pair of rules overlaps once.
        if (terms.symbol(part) != terms.symbol(below.left) || (at.empty() && inner >= outer)) {
          return term::Visit::kDeeper;
        }
        Unifier unifier(terms);
        if (!unifier.unify(part, below.left)) return term::Visit::kDeeper;
        const Term peak = unifier.apply(above.left);
        pairs.push_back({outer, inner, at, peak, unifier.apply(above.right),
                         term::replace(terms, peak, at, unifier.apply(below.right))});
        return term::Visit::kDeeper;
      });
    }
  }
  return pairs;
}

Confluence check_confluence(term::RuleSet& rules) {
  Confluence result;
  const std::vector<CriticalPair> pairs = critical_pairs(rules);
  result.pairs = pairs.size();
  result.joined = true;
  result.orthogonal = pairs.empty() && std::all_of(rules.rules.begin(), rules.rules.end(),
                                                   [&](const term::Rule& rule) {
                                                     return left_linear(rules.terms, rule.left);
                                                   });
  term::Reducer reducer(rules.terms, rules.rules);
  for (const CriticalPair& pair : pairs) {
    reducer.set_limit(kMostSteps);
    const std::optional<Term> left = reducer.normal_form(pair.left);
    const std::optional<Term> right = reducer.normal_form(pair.right);
    if (left && left == right) continue;
    result.joined = false;
    result.refuted = result.refuted || (left && right);
    if (result.open.size() == kMostShown) continue;
    const auto shown = [&](const std::optional<Term>& term) {
      return term ? term::to_string(rules.terms, *term, rules.notation)
                  : std::string("no normal form found");
    };
    result.open.push_back(shown(pair.peak) + ": " + shown(left) + " | " + shown(right));
  }
  return result;
}

}  // namespace nrs::check
