#include "induce/widen.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "induce/generalise.h"
#include "term/position.h"

namespace nrs::induce {
namespace {

// What a symbol on a left side costs, in bits: more if it stands deep, has rules of its own, or
// must be said again on the right side.
constexpr double kSymbolCost = 4;
constexpr double kConstantCost = 0.5;
constexpr double kDepthCost = 2.5;
constexpr double kDefinedCost = 6;
constexpr double kMovedCost = 4;
constexpr double kStrangerCost = 5;  // a constant that the system does not seem to know
// What it costs that two variables are the same one; less in systems that surely have such rules.
constexpr double kSameCost = 8;
constexpr double kSameCostWhereKnown = 3;
// A rule from so many different examples says for sure what it keeps.
constexpr std::ptrdiff_t kSureExamples = 6;
constexpr std::ptrdiff_t kSureSame = 3;
// Right sides with more symbols are not widened.
constexpr std::uint64_t kMostRight = 1000;
// Left sides with more symbols are not widened.
constexpr std::size_t kMostWidened = 60;
// How many sets of variables are tried.
constexpr int kMostTries = 300;

bool contains(const std::vector<Term>& terms, Term term) {
  return std::find(terms.begin(), terms.end(), term) != terms.end();
}

}  // namespace

Widener::Widener(Terms& terms, const Evidence& evidence, std::span<const Found> found, Ask ask)
    : terms_(terms), evidence_(evidence), ask_(std::move(ask)) {
  for (const Found& rule : found) {
    defined_.insert(terms.symbol(rule.rule.left));
    rights_[rule.rule.right].push_back(rule.rule.left);
  }
  std::size_t functions = 0;
  for (std::uint32_t f = 0; f < evidence.root_count(); ++f) {
    const RootFacts& facts = evidence.of_root(static_cast<Symbol>(f));
    const bool used = !facts.normals.empty() || !facts.examples.empty();
    functions += used && terms.arity(static_cast<Symbol>(f)) > 0;
  }
  applicative_ = functions == 1;
  for (const Found& rule : found) look_at(rule);
}

// Constants that the rule brings in, or surely keeps on its left side, belong to the system.
void Widener::look_at(const Found& found) {
  const Pair& rule = found.rule;
  const std::vector<Term> before = term::distinct_subterms(terms_, rule.left);
  const std::ptrdiff_t examples = direct_examples(rule);
  Term head = rule.left;
  while (!terms_.args(head).empty()) head = terms_.arg(head, 0);
  if (applicative_) defined_.insert(terms_.symbol(head));
  const auto take = [&](Term part) {
    if (terms_.args(part).empty() && !terms_.is_variable(part))
      own_constants_.insert(terms_.symbol(part));
  };
  for (const Term part : term::distinct_subterms(terms_, rule.right)) {
    if (!contains(before, part)) take(part);
  }
  if (examples >= kSureExamples) std::for_each(before.begin(), before.end(), take);
  if (examples < kSureSame) return;
  for (const Symbol name : term::variables_of(terms_, rule.left)) {
    same_known_ = same_known_ || places(rule.left, terms_.variable(terms_.name(name))).size() > 1;
  }
}

bool Widener::is_own(Term part) const {
  const Symbol symbol = terms_.symbol(part);
  return terms_.args(part).empty() && own_constants_.contains(symbol) && !defined_.contains(symbol);
}

Pair Widener::widen(const Found& found) {
  Pair rule = widest(found.rule);
  while (widen_to_more(rule)) {
  }
  while (split_variable(rule)) {
  }
  return rule;
}

// The symbols of the left side, each above those below it.
std::vector<Widener::Node> Widener::nodes_of(const Pair& rule) const {
  std::vector<Node> nodes{{.part = rule.left, .parent = 0}};
  const std::vector<Term> moved = moved_parts(rule);
  for (std::size_t next = 0; next < nodes.size() && nodes.size() <= kMostWidened; ++next) {
    const Term part = nodes[next].part;
    for (std::size_t i = 0; i < terms_.args(part).size(); ++i) {
      const Term arg = terms_.arg(part, i);
      nodes[next].below.push_back(nodes.size());
      if (terms_.is_variable(arg)) {
        nodes[next].below.back() = ~std::size_t{0};
        continue;
      }
      nodes.push_back({.part = arg, .parent = next, .place = {terms_.symbol(part), i}});
    }
  }
  for (std::size_t i = 1; i < nodes.size(); ++i) rate(rule, nodes, i, moved);
  return nodes;
}

// The largest parts of the left side that stand on the right side.
std::vector<Term> Widener::moved_parts(const Pair& rule) const {
  const std::vector<Term> on_left = term::distinct_subterms(terms_, rule.left);
  std::vector<Term> moved;
  std::vector<Term> open{rule.right};
  std::unordered_set<Term> seen;
  while (!open.empty()) {
    const Term part = open.back();
    open.pop_back();
    if (!seen.insert(part).second) continue;
    if (contains(on_left, part)) {
      moved.push_back(part);
    } else {
      open.insert(open.end(), terms_.args(part).begin(), terms_.args(part).end());
    }
  }
  return moved;
}

void Widener::rate(const Pair& rule, std::vector<Node>& nodes, std::size_t at,
                   const std::vector<Term>& moved_ones) const {
  Node& node = nodes[at];
  const Symbol symbol = terms_.symbol(node.part);
  const bool constant = terms_.args(node.part).empty();
  const bool moved = contains(moved_ones, node.part);
  node.cost = kSymbolCost + (constant ? kConstantCost : 0) + (moved ? kMovedCost : 0);
  for (std::size_t up = node.parent; up != 0; up = nodes[up].parent) node.cost += kDepthCost;
  // Where one symbol applies functions to arguments, app(app(f,x),y), what is applied is meant. So
  // is a constant of the system, unless it is moved to another place.
  const bool own = is_own(node.part) && node.parent == 0 && (rule.right == node.part || !moved);
  const bool twice =
      same_known_ && std::count_if(nodes.begin(), nodes.end(),
                                   [&](const Node& other) { return other.part == node.part; }) > 1;
  // That something is a number is no accident either.
  const bool number = terms_.name(symbol) == kNumberMark;
  if ((own && !twice) || number || (applicative_ && node.place.arg == 0)) {
    node.cost = 0;
  } else if (defined_.contains(symbol)) {
    node.cost += kDefinedCost;
  } else if (constant && !is_own(node.part)) {
    node.cost += kStrangerCost;
  }
}

// Every symbol below a kept one may be kept, too. Sets of kept symbols are tried in the order of
// their cost.
Pair Widener::widest(const Pair& rule) {
  const std::vector<Node> nodes = nodes_of(rule);
  if (nodes.size() > kMostWidened || terms_.size(rule.right) > kMostRight) return rule;
  const auto add = [&](Kept kept, std::size_t node) {
    for (; (kept >> node & 1) == 0; node = nodes[node].parent) kept |= Kept{1} << node;
    for (std::size_t i = 1; i < nodes.size(); ++i) {  // what is cheaper to keep
      if ((kept >> nodes[i].parent & 1) != 0 && nodes[i].cost <= 0) kept |= Kept{1} << i;
    }
    return kept;
  };
  std::set<std::tuple<double, Kept, Equal>> open;
  std::unordered_set<Kept> known;
  const auto push = [&](Kept kept) {
    if (!known.insert(kept).second) return;
    const auto [cost, same] = cost_of(nodes, kept);
    open.emplace(cost, kept, Equal::kApart);
    if (same > 0) open.emplace(cost + same, kept, Equal::kSame);
  };
  push(add(1, 0));
  for (int tries = 0; tries < kMostTries && !open.empty(); ++tries) {
    const auto [cost, kept, equal] = *open.begin();
    open.erase(open.begin());
    for (const Constants constants : {Constants::kFollow, Constants::kStay}) {
      Pair next = rule;
      if (try_rule(next, with_variables(rule, nodes, kept, {equal, constants}))) return next;
    }
    for (std::size_t i = 1; i < nodes.size(); ++i) {
      if ((kept >> i & 1) == 0 && (kept >> nodes[i].parent & 1) != 0) push(add(kept, i));
    }
  }
  return rule;
}

// Of what is kept, and of variables being the same one where equal parts stand.
std::pair<double, double> Widener::cost_of(const std::vector<Node>& nodes, Kept kept) const {
  double sum = 0;
  double same = 0;
  std::vector<Term> variables;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    if ((kept >> i & 1) != 0) {
      sum += nodes[i].cost;
    } else if ((kept >> nodes[i].parent & 1) != 0) {
      if (contains(variables, nodes[i].part)) same += same_known_ ? kSameCostWhereKnown : kSameCost;
      variables.push_back(nodes[i].part);
    }
  }
  return {sum, same};
}

// Makes variables of all parts that are not kept, also on the right side. There, a constant stays
// that is kept on the left, and those of the system may.
Pair Widener::with_variables(const Pair& rule, const std::vector<Node>& nodes, Kept kept, Way way) {
  std::vector<Replaced> replaced;
  std::vector<Term> made(nodes.size());
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    made[i] = nodes[i].part;
    if ((kept >> i & 1) != 0 || (kept >> nodes[i].parent & 1) == 0) continue;
    auto known = std::find_if(replaced.begin(), replaced.end(),
                              [&](const Replaced& r) { return r.part == nodes[i].part; });
    if (known == replaced.end()) known = replaced.insert(known, {nodes[i].part});
    if (known->variables.empty() || way.equal == Equal::kApart)
      known->variables.push_back({terms_.variable("?fresh" + std::to_string(i)), nodes[i].place});
    made[i] = known->variables.back().variable;
  }
  for (std::size_t i = nodes.size(); i-- > 0;) {  // those below have higher numbers
    if ((kept >> i & 1) == 0) continue;
    std::vector<Term> args(terms_.args(nodes[i].part).begin(), terms_.args(nodes[i].part).end());
    for (std::size_t k = 0; k < args.size(); ++k) {
      if (nodes[i].below[k] < nodes.size()) args[k] = made[nodes[i].below[k]];
    }
    made[i] = terms_.make(terms_.symbol(nodes[i].part), args);
  }
  if (is_known_result(rule)) return {made[0], rule.right};
  RightSide side{std::move(replaced), {}, {}, way.constants};
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    if ((kept >> i & 1) == 0 || !terms_.args(nodes[i].part).empty()) continue;
    (applicative_ && nodes[i].place.arg == 0 ? side.applied : side.kept).push_back(nodes[i].part);
  }
  return {made[0], on_right(rule.right, {}, side)};
}

// Whether another rule of the same symbol has the same result, without variables and finished.
bool Widener::is_known_result(const Pair& rule) const {
  const auto found = rights_.find(rule.right);
  if (found == rights_.end() || !terms_.ground(rule.right)) return false;
  const std::vector<Term> parts = term::distinct_subterms(terms_, rule.right);
  return std::none_of(parts.begin(), parts.end(),
                      [&](Term part) { return defined_.contains(terms_.symbol(part)); }) &&
         std::any_of(found->second.begin(), found->second.end(), [&](Term left) {
           return left != rule.left && terms_.symbol(left) == terms_.symbol(rule.left);
         });
}

// Where several variables stand for equal parts, that is taken which stands at such a place on the
// left, too; otherwise they take turns.
Term Widener::on_right(Term part, std::optional<Place> place, RightSide& side) {
  const bool constant = terms_.args(part).empty();
  const bool applied = applicative_ && place && place->arg == 0;
  const bool stays = constant && (contains(applied ? side.applied : side.kept, part) ||
                                  (is_own(part) && side.constants == Constants::kStay));
  if (stays) return part;
  for (Replaced& known : side.replaced) {
    if (known.part == part) return known.take(applicative_ ? std::nullopt : place);
  }
  std::vector<Term> args(terms_.args(part).begin(), terms_.args(part).end());
  for (std::size_t i = 0; i < args.size(); ++i) {
    args[i] = on_right(args[i], Place{terms_.symbol(part), i}, side);
  }
  return constant ? part : terms_.make(terms_.symbol(part), args);
}

Term Widener::Replaced::take(std::optional<Place> place) {
  const auto rank = [&](const Variable& v) {
    return std::pair(!place || v.place != *place, v.used);
  };
  const auto best =
      std::min_element(variables.begin(), variables.end(),
                       [&](const Variable& a, const Variable& b) { return rank(a) < rank(b); });
  ++best->used;
  return best->variable;
}

// Makes a subterm a variable if the wider rule gives more of what was seen.
bool Widener::widen_to_more(Pair& rule) {
  const Term fresh = terms_.variable("?fresh");
  for (const Term part : term::distinct_subterms(terms_, rule.left)) {
    if (part == rule.left || terms_.is_variable(part)) continue;
    const auto swap = [&](Term t) { return t == part ? std::optional(fresh) : std::nullopt; };
    Pair wider = rule;
    if (!try_rule(wider, {term::rebuild(terms_, rule.left, swap),
                          term::rebuild(terms_, rule.right, swap)}) ||
        direct_examples(wider) <= direct_examples(rule)) {
      continue;
    }
    rule = wider;
    return true;
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
// one a variable of its own. Of its places on the right those go with it that are the same argument
// of the same symbol; otherwise the last ones: one, two, ..., all or none.
bool Widener::split_variable(Pair& rule) {
  const Term fresh = terms_.variable("?fresh");
  const auto same_place = [&](const term::Position& on_right, const term::Position& on_left) {
    if (on_right.empty()) return false;
    const term::Position above_right(on_right.begin(), on_right.end() - 1);
    const term::Position above_left(on_left.begin(), on_left.end() - 1);
    return on_right.back() == on_left.back() &&
           terms_.symbol(*term::subterm(terms_, rule.right, above_right)) ==
               terms_.symbol(*term::subterm(terms_, rule.left, above_left));
  };
  for (const Symbol name : term::variables_of(terms_, rule.left)) {
    const Term variable = terms_.variable(terms_.name(name));
    const std::vector<term::Position> left = places(rule.left, variable);
    const std::vector<term::Position> right = places(rule.right, variable);
    if (left.size() < 2) continue;
    const Term split = term::replace(terms_, rule.left, left.back(), fresh);
    Term in_place = rule.right;
    bool others = false;
    for (const term::Position& at : right) {
      if (same_place(at, left.back())) {
        in_place = term::replace(terms_, in_place, at, fresh);
      } else {
        others = others || same_place(at, left.front());
      }
    }
    if ((others || in_place != rule.right) && try_rule(rule, {split, in_place})) return true;
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
