#pragma once
// Critical pairs, and whether they join.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "term/reduce.h"
#include "term/rule.h"

namespace nrs::check {

// Where two rules overlap: `peak` is rewritten to `left` by the outer rule at the root, and to
// `right` by the inner one below it or at it.
struct CriticalPair {
  std::size_t outer = 0;
  std::size_t inner = 0;
  term::Position position{};
  term::Term peak{};
  term::Term left{};
  term::Term right{};
};

// All of them but the trivial one of a rule with itself at the root. Terms are made in the store of
// the rules.
std::vector<CriticalPair> critical_pairs(term::RuleSet& rules);

struct Confluence {
  std::size_t pairs = 0;
  bool joined = false;              // all critical pairs have a common term
  bool orthogonal = false;          // there are none, and no variable stands twice on a left side
  std::vector<std::string> open{};  // "peak: left | right", with both sides rewritten to the end
  bool refuted = false;             // some pair has two different normal forms
};
Confluence check_confluence(term::RuleSet& rules);

}  // namespace nrs::check
