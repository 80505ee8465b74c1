#pragma once
// Orders on terms that prove termination, as data: what a search finds and a certificate holds.
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "term/rule.h"

namespace nrs::check {

using term::Symbol;
using term::Term;

// Recursive path order. Symbols of one level are equal. Arguments of equal symbols are compared
// from the left, from the right, or as multisets.
struct PathOrder {
  enum class Status { kLeft, kRight, kMultiset };
  std::map<Symbol, int> level;
  std::map<Symbol, Status> status;
};

// Knuth-Bendix order: a term is as heavy as its symbols and variables together.
struct KnuthBendix {
  std::int64_t variable_weight = 1;
  std::map<Symbol, std::int64_t> weight;
  std::map<Symbol, int> level;  // decides between equal weights; all different
};

// f(x1,...,xn) means c0 + c1 x1 + ... + cn xn, with c1, ..., cn at least 1: stored in this order.
struct Polynomials {
  std::map<Symbol, std::vector<std::int64_t>> coefficients;
};

// Under the order no remaining rule grows, and the named ones shrink: these can be used only
// finitely often, so the others are proved without them.
struct TerminationStep {
  std::variant<PathOrder, KnuthBendix, Polynomials> order;
  std::vector<std::size_t> removed;
};
using TerminationProof = std::vector<TerminationStep>;

// Symbols of rules, each once.
std::vector<Symbol> symbols_of(const term::RuleSet& rules);

// Each tries to find an order under which all these rules shrink; of polynomials, some shrink and
// none grows.
bool find_path_order(const term::RuleSet& rules, const std::vector<std::size_t>& left,
                     TerminationStep& step);
bool find_knuth_bendix(const term::RuleSet& rules, const std::vector<std::size_t>& left,
                       TerminationStep& step);
bool find_polynomials(const term::RuleSet& rules, const std::vector<std::size_t>& left,
                      TerminationStep& step);

// Nothing if none of these orders is found; then the rules may terminate or not.
// Conditions are left aside: rules that terminate without them terminate with them.
std::optional<TerminationProof> prove_termination(const term::RuleSet& rules);

}  // namespace nrs::check
