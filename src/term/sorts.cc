#include "term/sorts.h"

#include <numeric>
#include <vector>

#include "term/position.h"

namespace nrs::term {
namespace {

// Classes of places: the result of each symbol and each of its arguments.
class Places {
 public:
  explicit Places(const RuleSet& rules) : terms_(rules.terms), first_(rules.terms.symbol_count()) {
    std::uint32_t count = 0;
    for (const Symbol symbol : rules.signature) {
      first_[number(symbol)] = count;
      count += static_cast<std::uint32_t>(terms_.arity(symbol)) + 1;
    }
    leader_.resize(count);
    std::iota(leader_.begin(), leader_.end(), 0u);
  }

  std::uint32_t result(Symbol symbol) { return find(first_[number(symbol)]); }
  std::uint32_t arg(Symbol symbol, std::size_t i) {
    return find(first_[number(symbol)] + 1 + static_cast<std::uint32_t>(i));
  }

  // Makes every argument of the term one with its place. The variables of a rule get the class of
  // their first place.
  void join_within(Term term, VariableSorts& variables) {
    for (const Term part : distinct_subterms(terms_, term)) {
      if (terms_.is_variable(part)) continue;
      for (std::size_t i = 0; i < terms_.args(part).size(); ++i) {
        join(terms_.arg(part, i), arg(terms_.symbol(part), i), variables);
      }
    }
  }

  // The sides of a rule or of a condition are of one sort.
  void join_sides(Term left, Term right, VariableSorts& variables) {
    join_within(left, variables);
    join_within(right, variables);
    if (const auto place = place_of(left, variables)) join(right, *place, variables);
  }

 private:
  std::uint32_t find(std::uint32_t place) {
    while (leader_[place] != place) place = leader_[place] = leader_[leader_[place]];
    return place;
  }

  std::optional<std::uint32_t> place_of(Term term, const VariableSorts& variables) {
    if (!terms_.is_variable(term)) return result(terms_.symbol(term));
    const auto found = variables.find(terms_.symbol(term));
    return found == variables.end() ? std::nullopt : std::optional(find(found->second));
  }

  void join(Term term, std::uint32_t place, VariableSorts& variables) {
    if (terms_.is_variable(term)) variables.try_emplace(terms_.symbol(term), place);
    leader_[*place_of(term, variables)] = find(place);
  }

  const Terms& terms_;
  std::vector<std::uint32_t> first_;   // place of each symbol's result; its arguments follow
  std::vector<std::uint32_t> leader_;  // a forest of sets
};

}  // namespace

void infer_sorts(RuleSet& rules) {
  if (!rules.sorts.empty()) return;
  Places places(rules);
  for (const Rule& rule : rules.rules) {
    VariableSorts variables;
    places.join_sides(rule.left, rule.right, variables);
    for (const Condition& condition : rule.conditions) {
      places.join_sides(condition.left, condition.right, variables);
    }
  }
  std::unordered_map<std::uint32_t, std::uint32_t> sort_of_place;
  const auto sort = [&](std::uint32_t place) {
    const auto [found, added] =
        sort_of_place.try_emplace(place, static_cast<std::uint32_t>(rules.sorts.size()));
    if (added) rules.sorts.push_back("S" + std::to_string(rules.sorts.size() + 1));
    return found->second;
  };
  for (const Symbol symbol : rules.signature) {
    Profile& profile = rules.profiles[symbol];
    profile.result = sort(places.result(symbol));
    for (std::size_t i = 0; i < rules.terms.arity(symbol); ++i) {
      profile.args.push_back(sort(places.arg(symbol, i)));
    }
  }
}

}  // namespace nrs::term
