#include "induce/widen.h"

#include <algorithm>

#include "induce/generalise.h"
#include "term/position.h"

namespace nrs::induce {
namespace {

// Fewer different examples than this say little by what they have in common,
constexpr std::size_t kFewExamples = 3;
// unless they were seen in so many steps.
constexpr std::size_t kManySteps = 6;
constexpr std::size_t kVeryManySteps = 20;
// A constant of the system that stands in so many different examples is meant.
constexpr std::size_t kManyExamples = 6;

bool contains(const std::vector<Term>& terms, Term term) {
  return std::find(terms.begin(), terms.end(), term) != terms.end();
}

}  // namespace

Widener::Widener(Terms& terms, const Evidence& evidence, std::span<const Found> found, Ask ask)
    : terms_(terms), evidence_(evidence), ask_(std::move(ask)) {
  for (const Found& rule : found) defined_.insert(terms.symbol(rule.rule.left));
  find_own_constants(found);
  std::size_t functions = 0;
  for (std::uint32_t f = 0; f < evidence.root_count(); ++f) {
    const RootFacts& facts = evidence.of_root(static_cast<Symbol>(f));
    const bool used = !facts.normals.empty() || !facts.examples.empty();
    functions += used && terms.arity(static_cast<Symbol>(f)) > 0;
  }
  applicative_ = functions == 1;
}

// Where one symbol applies functions to arguments, app(app(f,x),y), the function and what it is
// applied to are on the left edge; constants that are applied inside are constructors.
bool Widener::is_function(const Pair& rule, Term part) const {
  if (!applicative_) return false;
  for (Term at = rule.left; !terms_.args(at).empty();) {
    at = terms_.arg(at, 0);
    if (at == part) return true;
  }
  if (!terms_.args(part).empty()) return false;
  const std::vector<Term> parts = term::distinct_subterms(terms_, rule.left);
  return std::any_of(parts.begin(), parts.end(), [&](Term above) {
    return !terms_.args(above).empty() && terms_.arg(above, 0) == part;
  });
}

void Widener::find_own_constants(std::span<const Found> found) {
  for (const Found& rule : found) {
    const std::vector<Term> before = term::distinct_subterms(terms_, rule.rule.left);
    for (const Term part : term::distinct_subterms(terms_, rule.rule.right)) {
      const bool constant = terms_.args(part).empty() && !terms_.is_variable(part);
      if (constant && !contains(before, part)) own_constants_.insert(terms_.symbol(part));
    }
  }
}

bool Widener::is_own(Term part) const {
  return terms_.args(part).empty() && own_constants_.contains(terms_.symbol(part));
}

bool Widener::only_own_constants(Term term) const {
  const std::vector<Term> parts = term::distinct_subterms(terms_, term);
  return std::all_of(parts.begin(), parts.end(),
                     [&](Term part) { return !terms_.args(part).empty() || is_own(part); });
}

Pair Widener::widen(const Found& found) {
  Pair rule = found.rule;
  std::size_t steps = 0;
  for (const std::uint32_t e : found.explained) steps += evidence_.examples()[e].steps.size();
  // Seen very often and always the same: meant to have no variables.
  if (steps >= kVeryManySteps && only_own_constants(rule.left)) return rule;
  const bool few = found.explained.size() < kFewExamples && steps < kManySteps;
  const Trust trust{.structure = few, .constants = found.explained.size() < kManyExamples};
  while (widen_once(rule, Where::kBothSides, trust)) {
  }
  while (widen_once(rule, Where::kLeftOnly, trust)) {
  }
  while (split_variable(rule)) {
  }
  return rule;
}

bool Widener::may_widen(const Pair& rule, Term part, Where where, Trust trust) const {
  if (part == rule.left || terms_.is_variable(part)) return false;
  const bool both = where == Where::kBothSides;
  if (is_function(rule, part)) return false;
  // A constant of the system is more likely to be meant, unless it is moved to another place, or
  // stands inside a constructor that few examples show.
  if (is_own(part) && !both) {
    const std::span<const Term> args = terms_.args(rule.left);
    return trust.structure && std::find(args.begin(), args.end(), part) == args.end();
  }
  if (is_own(part)) return trust.constants && rule.right != part;
  return terms_.ground(part) || trust.structure || defined_.contains(terms_.symbol(part));
}

// Makes the largest subterm a variable that may be one.
bool Widener::widen_once(Pair& rule, Where where, Trust trust) {
  std::vector<Term> parts = term::distinct_subterms(terms_, rule.left);
  std::stable_sort(parts.begin(), parts.end(),
                   [&](Term a, Term b) { return terms_.size(a) > terms_.size(b); });
  const std::vector<Term> on_right = term::distinct_subterms(terms_, rule.right);
  const Term fresh = terms_.variable("?fresh");
  for (const Term part : parts) {
    const bool both = contains(on_right, part);
    if (both != (where == Where::kBothSides)) continue;
    const auto swap = [&](Term t) { return t == part ? std::optional(fresh) : std::nullopt; };
    const Pair next{term::rebuild(terms_, rule.left, swap),
                    term::rebuild(terms_, rule.right, swap)};
    if (may_widen(rule, part, where, trust)) {
      if (try_rule(rule, next)) return true;
    } else if (both && part != rule.left && !terms_.is_variable(part) && !terms_.ground(part)) {
      // A subterm that is only moved, if the wider rule gives more of what was seen.
      const std::ptrdiff_t before = direct_examples(rule);
      Pair wider = rule;
      if (!try_rule(wider, next) || direct_examples(wider) <= before) continue;
      rule = wider;
      return true;
    }
  }
  return false;
}

// Examples that it explains and that are the lowest candidates of their steps.
std::ptrdiff_t Widener::direct_examples(const Pair& rule) const {
  const std::vector<std::uint32_t>* explained = ask_(rule);
  if (explained == nullptr) return 0;
  return std::count_if(explained->begin(), explained->end(),
                       [&](std::uint32_t e) { return evidence_.examples()[e].lowest; });
}

bool Widener::try_rule(Pair& rule, const Pair& next) {
  const std::optional<Pair> named = with_canonical_names(terms_, next);
  if (!named || ask_(*named) == nullptr) return false;
  rule = *named;
  return true;
}

std::vector<term::Position> Widener::places(Term side, Term variable) const {
  std::vector<term::Position> found;
  term::for_each_subterm(terms_, side, [&](Term t, const term::Position& at) {
    if (t == variable) found.push_back(at);
    return term::Visit::kDeeper;
  });
  return found;
}

// A variable that stands at several places of the left side may do so by accident: gives the last
// one a variable of its own. Of its places on the right the last ones go with it: one, two, ...,
// all or none.
bool Widener::split_variable(Pair& rule) {
  const Term fresh = terms_.variable("?fresh");
  for (const Symbol name : term::variables_of(terms_, rule.left)) {
    const Term variable = terms_.variable(terms_.name(name));
    const std::vector<term::Position> left = places(rule.left, variable);
    const std::vector<term::Position> right = places(rule.right, variable);
    if (left.size() < 2) continue;
    const Term split = term::replace(terms_, rule.left, left.back(), fresh);
    Term other = rule.right;
    for (std::size_t i = right.size(); i-- > 0;) {
      other = term::replace(terms_, other, right[i], fresh);
      if (try_rule(rule, {split, other})) return true;
    }
    if (try_rule(rule, {split, rule.right})) return true;
  }
  return false;
}

}  // namespace nrs::induce
