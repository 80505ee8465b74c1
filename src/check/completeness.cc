#include "check/completeness.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "term/position.h"
#include "term/sorts.h"

namespace nrs::check {
namespace {

using term::Symbol;
using term::Term;

constexpr std::size_t kMostWork = 200'000;

// Argument lists of left sides; a missing pattern is anything.
using Row = std::vector<std::optional<Term>>;

class Completeness {
 public:
  explicit Completeness(term::RuleSet& rules) : rules_(rules), terms_(rules.terms) {
    term::infer_sorts(rules_);
    for (const term::Rule& rule : rules_.rules) defined_.insert(terms_.symbol(rule.left));
    for (const Symbol symbol : rules_.signature) {
      if (!defined_.contains(symbol))
        constructors_[rules_.profiles.at(symbol).result].push_back(symbol);
    }
    find_smallest();
  }

  std::vector<std::string> run() {
    std::vector<std::string> stuck;
    for (const Symbol symbol : rules_.signature) {
      if (!defined_.contains(symbol)) continue;
      work_ = 0;
      const std::optional<std::vector<Term>> args =
          missing(rows_of(symbol), rules_.profiles.at(symbol).args);
      if (args)
        stuck.push_back(term::to_string(terms_, terms_.make(symbol, *args), rules_.notation));
    }
    return stuck;
  }

 private:
  // Constructor terms for each sort, the smallest first found; sorts without one stand for
  // anything.
  void find_smallest() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [sort, symbols] : constructors_) {
        if (smallest_.contains(sort)) continue;
        for (const Symbol symbol : symbols) {
          std::vector<Term> args;
          for (const std::uint32_t arg : rules_.profiles.at(symbol).args) {
            if (const auto found = smallest_.find(arg); found != smallest_.end())
              args.push_back(found->second);
          }
          if (args.size() != terms_.arity(symbol)) continue;
          smallest_.emplace(sort, terms_.make(symbol, args));
          changed = true;
          break;
        }
      }
    }
  }

  Term any_of(std::uint32_t sort) {
    const auto found = smallest_.find(sort);
    return found != smallest_.end() ? found->second : terms_.constant("_");
  }

  std::vector<Row> rows_of(Symbol root) const {
    std::vector<Row> rows;
    for (const term::Rule& rule : rules_.rules) {
      if (terms_.symbol(rule.left) != root || !rule.conditions.empty() || !counts(rule.left))
        continue;
      Row row;
      for (const Term arg : terms_.args(rule.left)) row.push_back(pattern(arg));
      rows.push_back(std::move(row));
    }
    return rows;
  }

  std::optional<Term> pattern(Term term) const {
    return terms_.is_variable(term) ? std::nullopt : std::optional(term);
  }

  bool counts(Term left) const {
    std::set<Term> variables;
    bool good = true;
    term::for_each_subterm(terms_, left, [&](Term part, const term::Position& at) {
      if (terms_.is_variable(part)) good = good && variables.insert(part).second;
      if (!at.empty() && defined_.contains(terms_.symbol(part))) good = false;
      return term::Visit::kDeeper;
    });
    return good;
  }

  // Arguments of these sorts that no row matches.
  std::optional<std::vector<Term>> missing(const std::vector<Row>& rows,
                                           std::vector<std::uint32_t> sorts) {
    if (++work_ > kMostWork) return std::nullopt;
    if (sorts.empty()) return rows.empty() ? std::optional(std::vector<Term>()) : std::nullopt;
    const std::uint32_t sort = sorts.front();
    const bool open = std::none_of(rows.begin(), rows.end(),
                                   [](const Row& row) { return row.front().has_value(); });
    sorts.erase(sorts.begin());
    if (open || !constructors_.contains(sort)) {
      auto rest = missing(without_first(rows), sorts);
      if (rest) rest->insert(rest->begin(), any_of(sort));
      return rest;
    }
    for (const Symbol symbol : constructors_.at(sort)) {
      std::vector<std::uint32_t> inner = rules_.profiles.at(symbol).args;
      const std::size_t arity = inner.size();
      inner.insert(inner.end(), sorts.begin(), sorts.end());
      auto found = missing(specialised(rows, symbol), inner);
      if (!found) continue;
      const Term head = terms_.make(symbol, std::span(*found).first(arity));
      found->erase(found->begin(), found->begin() + static_cast<std::ptrdiff_t>(arity));
      found->insert(found->begin(), head);
      return found;
    }
    return std::nullopt;
  }

  static std::vector<Row> without_first(const std::vector<Row>& rows) {
    std::vector<Row> rest;
    for (const Row& row : rows) {
      if (!row.front()) rest.emplace_back(row.begin() + 1, row.end());
    }
    return rest;
  }

  std::vector<Row> specialised(const std::vector<Row>& rows, Symbol symbol) const {
    std::vector<Row> result;
    for (const Row& row : rows) {
      if (row.front() && terms_.symbol(*row.front()) != symbol) continue;
      Row next;
      for (std::size_t i = 0; i < terms_.arity(symbol); ++i) {
        next.push_back(row.front() ? pattern(terms_.arg(*row.front(), i)) : std::nullopt);
      }
      next.insert(next.end(), row.begin() + 1, row.end());
      result.push_back(std::move(next));
    }
    return result;
  }

  term::RuleSet& rules_;
  term::Terms& terms_;
  std::set<Symbol> defined_;
  std::unordered_map<std::uint32_t, std::vector<Symbol>> constructors_;  // by sort
  std::unordered_map<std::uint32_t, Term> smallest_;
  std::size_t work_ = 0;
};

}  // namespace

std::vector<std::string> stuck_terms(term::RuleSet rules) {
  return Completeness(rules).run();
}

}  // namespace nrs::check
