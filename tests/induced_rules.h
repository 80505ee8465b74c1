#pragma once
// Chains from rules and rules from chains, for tests.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/rng.h"
#include "induce/generalise.h"
#include "induce/learn.h"
#include "term/chain.h"
#include "term/random_term.h"
#include "term/rule_file.h"
#include "term/sorts.h"

namespace nrs::induce {

inline term::RuleSet rules_of(const std::string& text) {
  return term::read_rules(text, term::RuleFormat::kText, "test");
}

struct ChainOptions {
  std::size_t count = 600;
  std::optional<std::size_t> constants{};
  std::size_t depth = 5;
  term::Strategy strategy = term::Strategy::kInnermost;
  bool parallel = false;  // every other step is left out where the next one is beside it
};

// All redexes of a term at once, the innermost ones.
inline term::Term rewrite_all(term::RuleSet& rules, term::Reducer& reducer, term::Term term) {
  std::vector<term::Redex> redexes;
  term::Position last;
  term::for_each_subterm(rules.terms, term, [&](term::Term part, const term::Position& at) {
    const auto inner = reducer.next(part, term::Strategy::kInnermost);
    if (!inner) return term::Visit::kPastIt;
    if (inner->position.empty()) {
      redexes.push_back({at, inner->rule, inner->contractum});
      return term::Visit::kPastIt;
    }
    return term::Visit::kDeeper;
  });
  for (const term::Redex& redex : redexes) {
    term = term::replace(rules.terms, term, redex.position, redex.contractum);
  }
  return term;
}

// As a learner sees them: written down and read again.
inline ChainFile chains_of(term::RuleSet& rules, const ChainOptions& options,
                           std::uint64_t seed = 7) {
  term::infer_sorts(rules);
  term::RandomTerms draw(rules, options.constants);
  term::Reducer reducer(rules.terms, rules.rules);
  Rng rng(seed);
  std::string text;
  for (std::size_t i = 0; i < options.count; ++i) {
    const term::Term start = draw.draw(2 + rng.below(options.depth - 1), rng);
    term::Chain chain;
    if (options.parallel) {
      chain.terms = {start};
      for (term::Term now = start; chain.terms.size() < 100;) {
        const term::Term next = rewrite_all(rules, reducer, now);
        if (next == now) break;
        chain.terms.push_back(now = next);
      }
      chain.finished = true;
    } else {
      chain = term::derive(rules, reducer, start, options.strategy,
                           {.max_steps = 100, .max_size = 300});
    }
    if (chain.finished)
      text += term::to_string(rules.terms, chain, term::Notation::kFunctional) + "\n";
  }
  return read_chains(text, "chains");
}

inline std::string name_of(term::Terms& terms, const Pair& rule) {
  const Pair named = with_canonical_names(terms, rule).value_or(rule);
  return term::to_string(terms, named.left) + " -> " + term::to_string(terms, named.right);
}

inline std::set<std::string> names_of(term::RuleSet& rules) {
  std::set<std::string> names;
  for (const term::Rule& rule : rules.rules)
    names.insert(name_of(rules.terms, {rule.left, rule.right}));
  return names;
}

inline std::set<std::string> names_of(term::Terms& terms, const Learned& learned) {
  std::set<std::string> names;
  for (const LearnedRule& rule : learned.rules) names.insert(name_of(terms, rule.rule));
  return names;
}

// Puts mistakes into a fraction of the chains; the lines that were changed.
inline std::set<std::uint32_t> spoil(ChainFile& file, double fraction, std::uint64_t seed = 3) {
  Rng rng(seed);
  std::set<std::uint32_t> changed;
  for (Chain& chain : file.chains) {
    if (!rng.chance(fraction)) continue;
    const std::vector<term::Term> before = chain.terms;
    const std::size_t at = rng.below(chain.terms.size());
    const Chain& other = file.chains[rng.below(file.chains.size())];
    switch (rng.below(3)) {
      case 0:  // ends too early
        chain.terms.resize(at + 1);
        break;
      case 1:  // ends with the result of another line
        chain.terms.back() = other.terms.back();
        break;
      default: {  // a subterm is another one
        std::vector<term::Position> places;
        term::for_each_subterm(file.terms, chain.terms[at],
                               [&](term::Term, const term::Position& place) {
                                 places.push_back(place);
                                 return term::Visit::kDeeper;
                               });
        chain.terms[at] = term::replace(file.terms, chain.terms[at],
                                        places[rng.below(places.size())], other.terms.back());
      }
    }
    if (chain.terms != before) changed.insert(chain.line);
  }
  return changed;
}

}  // namespace nrs::induce
