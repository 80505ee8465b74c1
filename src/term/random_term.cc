#include "term/random_term.h"

#include <algorithm>
#include <limits>
#include <span>
#include <string>

namespace nrs::term {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kManyTerms = 1'000'000'000;

}  // namespace

RandomTerms::RandomTerms(RuleSet& rules, std::optional<std::size_t> constants) : rules_(rules) {
  defined_.resize(rules.terms.symbol_count());
  for (const Rule& rule : rules.rules) defined_[number(rules.terms.symbol(rule.left))] = true;
  of_sort_.resize(rules.sorts.size());
  for (const Symbol symbol : rules.signature) {
    of_sort_[rules.profiles.at(symbol).result].push_back(symbol);
  }
  add_constants(constants);
  find_least_depths();
  const auto has_terms = [&](Symbol symbol) { return least_depth_[number(symbol)] != kNone; };
  for (const Symbol symbol : rules.signature) {
    if (defined_[number(symbol)] && has_terms(symbol)) roots_.push_back(symbol);
  }
  if (!roots_.empty()) return;
  std::copy_if(rules.signature.begin(), rules.signature.end(), std::back_inserter(roots_),
               has_terms);
}

// One more level in each round, until nothing gets shallower.
void RandomTerms::find_least_depths() {
  least_depth_.assign(rules_.terms.symbol_count(), kNone);
  std::vector<std::size_t> least(rules_.sorts.size(), kNone);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Symbol symbol : rules_.signature) {
      const Profile& profile = rules_.profiles.at(symbol);
      std::size_t deepest = 0;
      for (const std::uint32_t sort : profile.args) deepest = std::max(deepest, least[sort]);
      if (deepest == kNone || deepest + 1 >= least_depth_[number(symbol)]) continue;
      least_depth_[number(symbol)] = deepest + 1;
      least[profile.result] = std::min(least[profile.result], deepest + 1);
      changed = true;
    }
  }
}

// After as many rounds as there are sorts a finite number has come to rest.
std::vector<RandomTerms::Count> RandomTerms::count_constructor_terms() const {
  std::vector<Count> counts(rules_.sorts.size());
  for (std::size_t round = 0; round < rules_.sorts.size() + 2; ++round) {
    std::vector<Count> next(counts.size());
    for (const Symbol symbol : rules_.signature) {
      if (defined_[number(symbol)]) continue;
      const Profile& profile = rules_.profiles.at(symbol);
      std::size_t product = 1;
      for (const std::uint32_t sort : profile.args) {
        product = std::min(kManyTerms, product * counts[sort].terms);
      }
      Count& count = next[profile.result];
      count.terms = std::min(kManyTerms, count.terms + product);
    }
    for (std::size_t i = 0; i < next.size(); ++i) {
      next[i].finite = next[i].terms == counts[i].terms && next[i].terms < kManyTerms;
    }
    counts = std::move(next);
  }
  return counts;
}

// Empty sorts first, in the order of the file, because one constant may fill several sorts and make
// others infinite.
void RandomTerms::add_constants(std::optional<std::size_t> constants) {
  std::vector<bool> given(of_sort_.size(), false);
  for (std::uint32_t sort = 0; sort < of_sort_.size(); ++sort) {
    find_least_depths();
    const bool empty = std::none_of(of_sort_[sort].begin(), of_sort_[sort].end(),
                                    [&](Symbol s) { return least_depth_[number(s)] != kNone; });
    if (!empty) continue;
    given[sort] = true;
    add_constants(sort, std::max<std::size_t>(1, constants.value_or(2)));
  }
  const std::vector<Count> counts = count_constructor_terms();
  for (std::uint32_t sort = 0; sort < counts.size(); ++sort) {
    if (given[sort] || !counts[sort].finite) continue;
    add_constants(sort, constants.value_or(counts[sort].terms <= 1 ? 2 : 0));
  }
}

void RandomTerms::add_constants(std::uint32_t sort, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) add_constant(sort);
}

void RandomTerms::add_constant(std::uint32_t sort) {
  std::string name = "a";
  const auto taken = [&](const std::string& word) {
    return !rules_.terms.arities_of(word).empty();
  };
  for (std::size_t i = 0; taken(name); ++i) {
    name = i < 26 ? std::string(1, static_cast<char>('a' + i)) : "a" + std::to_string(i - 25);
  }
  const Symbol symbol = rules_.terms.symbol(name, 0);
  rules_.signature.push_back(symbol);
  Profile& profile = rules_.profiles[symbol];
  profile.result = sort;
  profile.constructor = true;
  of_sort_[sort].push_back(symbol);
  defined_.resize(rules_.terms.symbol_count());
  added_.push_back(symbol);
}

// One of the symbols with terms of this depth, one with arguments if it shall be deep; if none
// fits, the one with the shallowest terms.
Symbol RandomTerms::choose(std::span<const Symbol> symbols, std::size_t depth, bool deep,
                           Rng& rng) {
  const auto least = [&](Symbol symbol) { return least_depth_[number(symbol)]; };
  for (const bool with_args : {true, false}) {
    if (with_args && !deep) continue;
    fitting_.clear();
    for (const Symbol symbol : symbols) {
      if (least(symbol) <= depth && !(with_args && rules_.terms.arity(symbol) == 0)) {
        fitting_.push_back(symbol);
      }
    }
    if (!fitting_.empty()) return fitting_[rng.below(fitting_.size())];
  }
  return *std::min_element(symbols.begin(), symbols.end(),
                           [&](Symbol a, Symbol b) { return least(a) < least(b); });
}

Term RandomTerms::draw(std::size_t depth, Rng& rng) {
  struct Open {
    Symbol symbol;
    std::size_t depth;     // for its arguments
    std::size_t deep_arg;  // the one that goes on as deep as it may; arity: none
    std::size_t next = 0;
  };
  std::vector<Open> open;
  std::vector<Term> built;
  const auto start = [&](std::span<const Symbol> symbols, std::size_t budget, bool deep) {
    const Symbol symbol = choose(symbols, budget, deep, rng);
    const std::size_t arity = rules_.terms.arity(symbol);
    const std::size_t deep_arg = deep && arity > 0 ? rng.below(arity) : arity;
    open.push_back({symbol, budget > 0 ? budget - 1 : 0, deep_arg});
  };
  start(roots_, depth, true);
  while (true) {
    Open& top = open.back();
    const Profile& profile = rules_.profiles.at(top.symbol);
    if (top.next < profile.args.size()) {
      const std::size_t i = top.next++;
      start(of_sort_[profile.args[i]], top.depth, i == top.deep_arg);
      continue;
    }
    const Term made = rules_.terms.make(top.symbol, std::span(built).last(profile.args.size()));
    built.resize(built.size() - profile.args.size());
    open.pop_back();
    if (open.empty()) return made;
    built.push_back(made);
  }
}

}  // namespace nrs::term
