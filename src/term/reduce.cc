#include "term/reduce.h"

#include <limits>

namespace nrs::term {

Reducer::Reducer(Terms& terms, std::span<const Rule> rules)
    : terms_(terms),
      rules_(rules),
      steps_left_(std::numeric_limits<std::size_t>::max()),
      most_terms_(std::numeric_limits<std::size_t>::max()) {
  by_root_.resize(terms.symbol_count());
  for (std::uint32_t i = 0; i < rules.size(); ++i) {
    by_root_[number(terms.symbol(rules[i].left))].push_back(i);
  }
}

void Reducer::set_limit(std::size_t steps) {
  steps_left_ = steps;
  exhausted_ = false;
}

void Reducer::forget_from(std::size_t count) {
  if (normal_.size() > count) normal_.resize(count);
  // A term that stays may have had a normal form that has gone.
  for (std::uint32_t& normal : normal_) {
    if (normal >= count) normal = kUnknown;
  }
}

std::span<const std::uint32_t> Reducer::candidates(Term term) const {
  const std::uint32_t symbol = number(terms_.symbol(term));
  return symbol < by_root_.size() ? std::span(by_root_[symbol]) : std::span<const std::uint32_t>();
}

Term Reducer::known(Term term) const {
  return static_cast<Term>(number(term) < normal_.size() ? normal_[number(term)] : kUnknown);
}

void Reducer::learn(Term term, Term normal) {
  if (number(term) >= normal_.size()) normal_.resize(terms_.count(), kUnknown);
  normal_[number(term)] = number(normal);
}

// Hands a value to what waits for it.
void Reducer::give(Term value) {
  values_.push_back(value);
}

std::optional<Term> Reducer::normal_form(Term term) {
  return run(term, frames_.size());
}

// Works until the value of `goal` is there and no frame above `bottom` is left.
std::optional<Term> Reducer::run(Term goal, std::size_t bottom) {
  const std::size_t first_value = values_.size();
  const auto evaluate = [this](Term term) {
    const Term normal = known(term);
    if (number(normal) != kUnknown) {
      give(normal);
    } else {
      frames_.push_back({Frame::Kind::kArgs, term});
    }
  };
  evaluate(goal);
  while (frames_.size() > bottom && !exhausted_) {
    Frame& top = frames_.back();
    if (top.kind == Frame::Kind::kArgs) {
      const std::size_t arity = terms_.args(top.term).size();
      if (top.next < arity) {
        const Term arg = terms_.arg(top.term, top.next++);
        evaluate(arg);
        continue;
      }
      const Frame done = top;
      frames_.pop_back();
      const Term made = terms_.make(terms_.symbol(done.term), std::span(values_).last(arity));
      values_.resize(values_.size() - arity);
      if (made != done.term) frames_.push_back({Frame::Kind::kResult, done.term});
      const Term normal = known(made);
      number(normal) != kUnknown ? give(normal) : apply_rules(made, 0);
    } else if (top.kind == Frame::Kind::kResult) {
      learn(top.term, values_.back());
      frames_.pop_back();
    } else {
      const Frame waiting = top;
      const Term value = values_.back();
      values_.pop_back();
      frames_.pop_back();
      take_condition(waiting, value);
    }
  }
  if (exhausted_) {
    frames_.resize(bottom);
    values_.resize(first_value);
    return std::nullopt;
  }
  const Term value = values_.back();
  values_.pop_back();
  return value;
}

// All arguments are in normal form. Tries the rules of the root from the `rule`th on.
void Reducer::apply_rules(Term term, std::uint32_t rule) {
  const std::span<const std::uint32_t> rules = candidates(term);
  for (; rule < rules.size(); ++rule) {
    const Rule& candidate = rules_[rules[rule]];
    substitution_.clear();
    if (!match(terms_, candidate.left, term, substitution_)) continue;
    if (candidate.conditions.empty()) return contract(term, candidate);
    return open_condition({Frame::Kind::kCondition, term, rule});
  }
  if (const auto further = ask_further(term)) {
    if (count_step()) become(term, further->contractum);
    return;
  }
  if (refused_) return;
  learn(term, term);
  give(term);
}

bool Reducer::count_step() {
  exhausted_ = exhausted_ || steps_left_ == 0 || terms_.count() > most_terms_;
  if (!exhausted_) --steps_left_;
  return !exhausted_;
}

// substitution_ holds the match.
void Reducer::contract(Term term, const Rule& rule) {
  if (!count_step()) return;
  become(term, instantiate(terms_, rule.right, substitution_));
}

std::optional<Redex> Reducer::ask_further(Term term) {
  if (!further_) return std::nullopt;
  Further answer = further_(term);
  refused_ = answer.refused;
  exhausted_ = exhausted_ || refused_;
  if (answer.redex) answer.redex->rule += rules_.size();
  return std::move(answer.redex);
}

void Reducer::become(Term term, Term result) {
  frames_.push_back({Frame::Kind::kResult, term});
  const Term normal = known(result);
  if (number(normal) != kUnknown) {
    give(normal);
  } else {
    frames_.push_back({Frame::Kind::kArgs, result});
  }
}

// Counts as a step, because conditions may ask for each other without end.
void Reducer::open_condition(Frame frame) {
  if (!count_step()) return;
  const Rule& rule = rules_[candidates(frame.term)[frame.next]];
  const Condition& condition = rule.conditions[frame.condition / 2];
  const Term side = instantiate(terms_, frame.condition % 2 == 0 ? condition.left : condition.right,
                                substitution_);
  frames_.push_back(frame);
  const Term normal = known(side);
  if (number(normal) != kUnknown) {
    give(normal);
  } else {
    frames_.push_back({Frame::Kind::kArgs, side});
  }
}

void Reducer::take_condition(Frame frame, Term value) {
  const Rule& rule = rules_[candidates(frame.term)[frame.next]];
  substitution_.clear();
  match(terms_, rule.left, frame.term, substitution_);
  if (frame.condition % 2 == 0) {
    frame.left = value;
  } else if ((frame.left == value) != rule.conditions[frame.condition / 2].equal) {
    return apply_rules(frame.term, frame.next + 1);
  }
  ++frame.condition;
  if (frame.condition == 2 * rule.conditions.size()) return contract(frame.term, rule);
  open_condition(frame);
}

bool Reducer::conditions_hold(const Rule& rule, const Substitution& substitution) {
  for (const Condition& condition : rule.conditions) {
    const auto left = normal_form(instantiate(terms_, condition.left, substitution));
    if (!left) return false;
    const auto right = normal_form(instantiate(terms_, condition.right, substitution));
    if (!right || (*left == *right) != condition.equal) return false;
  }
  return true;
}

std::optional<Redex> Reducer::at_root(Term term) {
  for (const std::uint32_t i : candidates(term)) {
    Substitution substitution;
    if (!match(terms_, rules_[i].left, term, substitution)) continue;
    const bool holds = conditions_hold(rules_[i], substitution);
    if (exhausted_) return std::nullopt;
    if (!holds) continue;
    return Redex{{}, i, instantiate(terms_, rules_[i].right, substitution)};
  }
  return ask_further(term);
}

std::optional<Redex> Reducer::next(Term term, Strategy strategy) {
  return strategy == Strategy::kInnermost ? innermost(term) : outermost(term);
}

// Goes down into the first argument that is not known to be normal; a term that turns out to be
// normal is known from then on.
std::optional<Redex> Reducer::innermost(Term term) {
  std::vector<Term> path{term};
  Position position;
  while (!path.empty()) {
    const Term top = path.back();
    const std::span<const Term> args = terms_.args(top);
    std::uint32_t i = 0;
    while (i < args.size() && known(args[i]) == args[i]) ++i;
    if (i < args.size()) {
      position.push_back(i);
      path.push_back(args[i]);
      continue;
    }
    if (known(top) != top) {
      if (std::optional<Redex> redex = at_root(top)) {
        redex->position = position;
        return redex;
      }
      if (exhausted_) return std::nullopt;
      learn(top, top);
    }
    path.pop_back();
    if (!position.empty()) position.pop_back();
  }
  return std::nullopt;
}

std::optional<Redex> Reducer::outermost(Term term) {
  std::optional<Redex> found;
  for_each_subterm(terms_, term, [&](Term part, const Position& position) {
    if (found || exhausted_ || known(part) == part) return Visit::kPastIt;
    found = at_root(part);
    if (!found) return Visit::kDeeper;
    found->position = position;
    return Visit::kPastIt;
  });
  if (!found && !exhausted_) learn(term, term);
  return found;
}

}  // namespace nrs::term
