#include "induce/audit.h"

#include <algorithm>

namespace nrs::induce {

Audit::Audit(Terms& terms, std::span<const Pair> rules, AtOnce places)
    : terms_(terms), places_(places), rules_(terms.symbol_count()), support_(rules.size()) {
  for (std::uint32_t i = 0; i < rules.size(); ++i) {
    rules_[term::number(terms.symbol(rules[i].left))].emplace_back(i, Pattern(terms, rules[i]));
  }
}

bool Audit::matches_root(Term term) {
  auto& rules = rules_[term::number(terms_.symbol(term))];
  return std::any_of(rules.begin(), rules.end(),
                     [&](auto& rule) { return rule.second.matches(term); });
}

bool Audit::normal(Term term) {
  if (normal_.size() < terms_.count()) normal_.resize(terms_.count(), 0);
  std::vector<Term> open{term};
  while (!open.empty()) {
    const Term top = open.back();
    char& known = normal_[term::number(top)];
    bool waits = false;
    bool good = true;
    for (const Term arg : terms_.args(top)) {
      const char below = normal_[term::number(arg)];
      if (below == 0 && known == 0) open.push_back(arg);
      waits = waits || below == 0;
      good = good && below != 2;
    }
    if (known == 0 && waits) continue;
    if (known == 0) known = good && !matches_root(top) ? 1 : 2;
    open.pop_back();
  }
  return normal_[term::number(term)] == 1;
}

bool Audit::explain_at(const Pair& pair, std::vector<Use>& uses) {
  bool found = false;
  for (auto& [rule, pattern] : rules_[term::number(terms_.symbol(pair.left))]) {
    if (!pattern.matches(pair.left) || !pattern.gives(pair.right)) continue;
    uses.push_back({rule, pair.left});
    found = true;
  }
  return found;
}

std::vector<Pair> differing_args(const Terms& terms, const Pair& pair) {
  std::vector<Pair> differing;
  if (terms.symbol(pair.left) != terms.symbol(pair.right)) return differing;
  for (std::size_t i = 0; i < terms.args(pair.left).size(); ++i) {
    const Pair arg{terms.arg(pair.left, i), terms.arg(pair.right, i)};
    if (arg.left != arg.right) differing.push_back(arg);
  }
  return differing;
}

// Lowest first; where several arguments differ and no rule is found above, each on its own.
bool Audit::explain(Pair step, std::vector<Use>& uses) {
  std::vector<Pair> parts{step};
  while (!parts.empty()) {
    std::vector<Pair> down{parts.back()};
    parts.pop_back();
    std::vector<Pair> below = differing_args(terms_, down.back());
    while (below.size() == 1) {
      down.push_back(below.front());
      below = differing_args(terms_, down.back());
    }
    const bool found = std::any_of(down.rbegin(), down.rend(),
                                   [&](const Pair& pair) { return explain_at(pair, uses); });
    if (found) continue;
    if (below.empty() || places_ == AtOnce::kOne) return false;
    parts.insert(parts.end(), below.begin(), below.end());
  }
  return true;
}

bool Audit::explains(const Pair& step) {
  std::vector<Use> uses;
  return explain(step, uses);
}

Audit::Refuted Audit::refutes(const Chain& chain, bool innermost, bool leftmost) {
  std::vector<Use> uses;
  std::size_t i = 0;
  while (i + 1 < chain.terms.size() && chain.terms[i] != chain.terms[i + 1] &&
         explain({chain.terms[i], chain.terms[i + 1]}, uses)) {
    ++i;
  }
  if (!innermost || i + 1 == chain.terms.size() || chain.terms[i] == chain.terms[i + 1])
    return Refuted::kThere;
  Pair at{chain.terms[i], chain.terms[i + 1]};
  for (std::vector<Pair> below = differing_args(terms_, at); below.size() == 1;
       below = differing_args(terms_, at)) {
    const std::vector<Term> args(terms_.args(at.left).begin(), terms_.args(at.left).end());
    for (std::size_t k = 0; leftmost && args[k] != below.front().left; ++k) {
      if (!normal(args[k])) return Refuted::kElsewhere;
    }
    at = below.front();
  }
  const std::vector<Term> args(terms_.args(at.left).begin(), terms_.args(at.left).end());
  if (!std::all_of(args.begin(), args.end(), [&](Term arg) { return normal(arg); }))
    return Refuted::kElsewhere;
  return normal(at.left) ? Refuted::kNot : Refuted::kThere;
}

std::optional<std::string> Audit::find_fault(const Chain& chain, std::vector<Use>& uses) {
  std::optional<std::string> fault;
  for (std::size_t i = 0; i + 1 < chain.terms.size(); ++i) {
    const bool same = chain.terms[i] == chain.terms[i + 1];
    if (!same && explain({chain.terms[i], chain.terms[i + 1]}, uses)) continue;
    if (fault) continue;
    fault = "step " + std::to_string(i + 1) + (same ? " changes nothing" : " follows no rule");
  }
  if (!fault && chain.complete && !normal(chain.terms.back())) {
    fault = "the last term is not a normal form; if the chain continues, end the line with -> ...";
  }
  return fault;
}

std::optional<std::string> Audit::check(const Chain& chain, Count count) {
  if (chain.explained) return std::nullopt;
  std::vector<Use> uses;
  std::optional<std::string> fault = find_fault(chain, uses);
  if (fault && count == Count::kIfRight) return fault;
  for (const Use& use : uses) {
    Support& support = support_[use.rule];
    ++support.steps;
    support.redexes.insert(use.redex);
    if (support.lines.empty() || support.lines.back() != chain.line) {
      support.lines.push_back(chain.line);
    }
  }
  return fault;
}

}  // namespace nrs::induce
