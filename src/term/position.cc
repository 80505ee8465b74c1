#include "term/position.h"

#include <algorithm>
#include <span>

namespace nrs::term {
namespace {

// A term whose arguments are being looked at one by one.
struct Open {
  Term term;
  std::uint32_t next = 0;
};

}  // namespace

std::string to_string(const Position& position) {
  if (position.empty()) return "root";
  std::string text;
  for (const std::uint32_t step : position) {
    if (!text.empty()) text += '.';
    text += std::to_string(step + 1);
  }
  return text;
}

std::optional<Term> subterm(const Terms& terms, Term term, const Position& position) {
  for (const std::uint32_t step : position) {
    if (step >= terms.args(term).size()) return std::nullopt;
    term = terms.arg(term, step);
  }
  return term;
}

Term replace(Terms& terms, Term term, const Position& position, Term subterm) {
  std::vector<Term> path;
  for (const std::uint32_t step : position) {
    path.push_back(term);
    term = terms.arg(term, step);
  }
  Term built = subterm;
  std::vector<Term> args;
  for (std::size_t i = path.size(); i-- > 0;) {
    const std::span<const Term> old = terms.args(path[i]);
    args.assign(old.begin(), old.end());
    args[position[i]] = built;
    built = terms.make(terms.symbol(path[i]), args);
  }
  return built;
}

void for_each_subterm(const Terms& terms, Term term,
                      const std::function<Visit(Term, const Position&)>& see) {
  Position position;
  if (see(term, position) == Visit::kPastIt) return;
  std::vector<Open> open{{term}};
  while (!open.empty()) {
    Open& top = open.back();
    if (top.next == terms.args(top.term).size()) {
      open.pop_back();
      if (!position.empty()) position.pop_back();
      continue;
    }
    position.push_back(top.next);
    const Term below = terms.arg(top.term, top.next++);
    if (see(below, position) == Visit::kDeeper) {
      open.push_back({below});
    } else {
      position.pop_back();
    }
  }
}

// The numbers of a term's parts are smaller than its own, so sorting puts them first.
std::vector<Term> distinct_subterms(const Terms& terms, Term term) {
  std::vector<bool> seen(number(term) + 1, false);
  std::vector<Term> found{term};
  seen[number(term)] = true;
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const Term arg : terms.args(found[i])) {
      if (!seen[number(arg)]) found.push_back(arg);
      seen[number(arg)] = true;
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<Symbol> variables_of(const Terms& terms, Term term) {
  std::vector<Symbol> variables;
  for_each_subterm(terms, term, [&](Term part, const Position&) {
    if (terms.ground(part)) return Visit::kPastIt;
    const Symbol symbol = terms.symbol(part);
    if (terms.is_variable(symbol) &&
        std::find(variables.begin(), variables.end(), symbol) == variables.end()) {
      variables.push_back(symbol);
    }
    return Visit::kDeeper;
  });
  return variables;
}

Term rebuild(Terms& terms, Term term, const std::function<std::optional<Term>(Term)>& change) {
  if (const std::optional<Term> other = change(term)) return *other;
  std::vector<Open> open{{term}};
  std::vector<Term> built;  // the finished arguments of all open terms
  while (true) {
    Open& top = open.back();
    const std::size_t arity = terms.args(top.term).size();
    if (top.next < arity) {
      const Term below = terms.arg(top.term, top.next++);
      if (const std::optional<Term> other = change(below)) {
        built.push_back(*other);
      } else {
        open.push_back({below});
      }
      continue;
    }
    const Term made = terms.make(terms.symbol(top.term), std::span(built).last(arity));
    built.resize(built.size() - arity);
    open.pop_back();
    if (open.empty()) return made;
    built.push_back(made);
  }
}

}  // namespace nrs::term
