#include <algorithm>
#include <set>

#include "check/orders.h"
#include "term/position.h"

namespace nrs::check {
namespace {

constexpr int kMostRounds = 2000;
constexpr std::int64_t kMostWeight = 1'000'000;

// How often each symbol and variable stands in a term.
std::map<Symbol, std::int64_t> counts(const term::Terms& terms, Term term) {
  std::map<Symbol, std::int64_t> found;
  term::for_each_subterm(terms, term, [&](Term part, const term::Position&) {
    ++found[terms.symbol(part)];
    return term::Visit::kDeeper;
  });
  return found;
}

class KnuthBendixSearch {
 public:
  KnuthBendixSearch(const term::RuleSet& rules, const std::vector<std::size_t>& left)
      : rules_(rules), terms_(rules.terms), symbols_(symbols_of(rules)) {
    for (const std::size_t i : left) {
      Row row{rules.rules[i].left, rules.rules[i].right, counts(terms_, rules.rules[i].left),
              false};
      for (const auto& [symbol, count] : counts(terms_, row.right)) row.surplus[symbol] -= count;
      for (const auto& [symbol, count] : row.surplus) {
        possible_ = possible_ && (!terms_.is_variable(symbol) || count >= 0);
      }
      rows_.push_back(std::move(row));
    }
  }

  // With all weights positive, then with each symbol of one argument as the weightless one.
  std::optional<KnuthBendix> run() {
    if (!possible_) return std::nullopt;
    if (auto order = attempt(std::nullopt)) return order;
    for (const Symbol symbol : symbols_) {
      if (terms_.arity(symbol) != 1) continue;
      if (auto order = attempt(symbol)) return order;
    }
    return std::nullopt;
  }

 private:
  struct Row {
    Term left;
    Term right;
    std::map<Symbol, std::int64_t> surplus;  // of the left side over the right
    bool strict;
  };

  std::optional<KnuthBendix> attempt(std::optional<Symbol> weightless) {
    for (Row& row : rows_) row.strict = false;
    for (std::size_t tries = 0; tries <= rows_.size(); ++tries) {
      KnuthBendix order;
      for (const Symbol symbol : symbols_) order.weight[symbol] = symbol == weightless ? 0 : 1;
      if (!balance(order, weightless)) return std::nullopt;
      if (Row* failed = settle_ties(order, weightless)) {
        if (failed->strict) return std::nullopt;
        failed->strict = true;
      } else {
        return order;
      }
    }
    return std::nullopt;
  }

  std::int64_t surplus(const Row& row, const KnuthBendix& order) const {
    std::int64_t sum = 0;
    for (const auto& [symbol, count] : row.surplus) {
      sum += count * (terms_.is_variable(symbol) ? order.variable_weight : order.weight.at(symbol));
    }
    return sum;
  }

  // Makes symbols of which a left side has more than its right side heavier, and the others
  // lighter.
  bool balance(KnuthBendix& order, std::optional<Symbol> weightless) const {
    for (int round = 0; round < kMostRounds; ++round) {
      bool good = true;
      for (const Row& row : rows_) {
        if (surplus(row, order) >= (row.strict ? 1 : 0)) continue;
        good = false;
        for (const auto& [symbol, count] : row.surplus) {
          if (terms_.is_variable(symbol) || symbol == weightless) continue;
          std::int64_t& weight = order.weight[symbol];
          weight = std::clamp(weight + count, std::int64_t{1}, kMostWeight);
        }
      }
      if (good) return true;
    }
    return false;
  }

  // Levels that decide all ties; the first row that cannot be decided otherwise.
  Row* settle_ties(KnuthBendix& order, std::optional<Symbol> weightless) {
    std::map<Symbol, std::set<Symbol>> above;
    if (weightless) {
      for (const Symbol symbol : symbols_) {
        if (symbol != *weightless) above[*weightless].insert(symbol);
      }
    }
    for (Row& row : rows_) {
      if (surplus(row, order) > 0) continue;
      if (!decide_tie(row.left, row.right, order, above)) return &row;
    }
    set_levels(order, above);
    return nullptr;
  }

  bool decide_tie(Term s, Term t, const KnuthBendix& order,
                  std::map<Symbol, std::set<Symbol>>& above) {
    while (true) {
      if (s == t || terms_.is_variable(s)) return false;
      // f(f(...x)) against x, of equal weight: f is weightless.
      if (terms_.is_variable(t)) return true;
      const Symbol f = terms_.symbol(s);
      const Symbol g = terms_.symbol(t);
      if (f != g) {
        if (reaches(above, g, f)) return false;
        above[f].insert(g);
        return true;
      }
      std::size_t i = 0;
      while (i < terms_.arity(f) && terms_.arg(s, i) == terms_.arg(t, i)) ++i;
      if (i == terms_.arity(f)) return false;
      s = terms_.arg(s, i);
      t = terms_.arg(t, i);
      Row inner{s, t, counts(terms_, s), false};
      for (const auto& [symbol, count] : counts(terms_, t)) inner.surplus[symbol] -= count;
      for (const auto& [symbol, count] : inner.surplus) {
        if (terms_.is_variable(symbol) && count < 0) return false;
      }
      if (const std::int64_t more = surplus(inner, order); more != 0) return more > 0;
    }
  }

  static bool reaches(const std::map<Symbol, std::set<Symbol>>& above, Symbol from, Symbol to) {
    std::vector<Symbol> open{from};
    std::set<Symbol> seen{from};
    while (!open.empty()) {
      const Symbol top = open.back();
      open.pop_back();
      if (top == to) return true;
      const auto found = above.find(top);
      if (found == above.end()) continue;
      for (const Symbol next : found->second) {
        if (seen.insert(next).second) open.push_back(next);
      }
    }
    return false;
  }

  void set_levels(KnuthBendix& order, const std::map<Symbol, std::set<Symbol>>& above) const {
    std::vector<Symbol> waiting = symbols_;
    int level = 0;
    while (!waiting.empty()) {
      const auto next = std::find_if(waiting.begin(), waiting.end(), [&](Symbol symbol) {
        const auto found = above.find(symbol);
        return found == above.end() ||
               std::all_of(found->second.begin(), found->second.end(),
                           [&](Symbol lower) { return order.level.contains(lower); });
      });
      order.level[*next] = ++level;
      waiting.erase(next);
    }
  }

  const term::RuleSet& rules_;
  const term::Terms& terms_;
  const std::vector<Symbol> symbols_;
  std::vector<Row> rows_;
  bool possible_ = true;
};

}  // namespace

bool find_knuth_bendix(const term::RuleSet& rules, const std::vector<std::size_t>& left,
                       TerminationStep& step) {
  std::optional<KnuthBendix> order = KnuthBendixSearch(rules, left).run();
  if (!order) return false;
  step = {std::move(*order), left};
  return true;
}

}  // namespace nrs::check
