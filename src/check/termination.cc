#include <algorithm>
#include <numeric>
#include <set>

#include "check/orders.h"
#include "term/position.h"

namespace nrs::check {
namespace {

// Comparing terms costs too much beyond this, and no rule that is meant to be read is so large.
constexpr std::size_t kMostDepth = 200;
constexpr std::uint64_t kMostSize = 5000;
constexpr std::size_t kMostRules = 2000;

bool too_large(const term::RuleSet& rules) {
  const auto large = [&](Term term) {
    return rules.terms.depth(term) > kMostDepth || rules.terms.size(term) > kMostSize;
  };
  return rules.rules.size() > kMostRules ||
         std::any_of(rules.rules.begin(), rules.rules.end(),
                     [&](const term::Rule& rule) { return large(rule.left) || large(rule.right); });
}

}  // namespace

std::vector<Symbol> symbols_of(const term::RuleSet& rules) {
  std::set<Symbol> found;
  for (const term::Rule& rule : rules.rules) {
    for (const Term side : {rule.left, rule.right}) {
      for (const Term part : term::distinct_subterms(rules.terms, side)) {
        if (!rules.terms.is_variable(part)) found.insert(rules.terms.symbol(part));
      }
    }
  }
  return {found.begin(), found.end()};
}

std::optional<TerminationProof> prove_termination(const term::RuleSet& rules) {
  if (too_large(rules)) return std::nullopt;
  std::vector<std::size_t> left(rules.rules.size());
  std::iota(left.begin(), left.end(), 0);
  TerminationProof proof;
  while (!left.empty()) {
    TerminationStep step;
    if (!find_path_order(rules, left, step) && !find_knuth_bendix(rules, left, step) &&
        !find_polynomials(rules, left, step)) {
      return std::nullopt;
    }
    std::erase_if(left, [&](std::size_t rule) {
      return std::find(step.removed.begin(), step.removed.end(), rule) != step.removed.end();
    });
    proof.push_back(std::move(step));
  }
  return proof;
}

}  // namespace nrs::check
