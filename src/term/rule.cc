#include "term/rule.h"

#include <algorithm>
#include <memory>

#include "base/text.h"
#include "term/match.h"
#include "term/position.h"

namespace nrs::term {
namespace {

std::string counted(std::size_t arity) {
  return std::to_string(arity) + (arity == 1 ? " argument" : " arguments");
}

std::optional<Fault> unbound_in(const Terms& terms, Term term, const std::vector<Symbol>& bound,
                                const std::string& where) {
  for (const Symbol variable : variables_of(terms, term)) {
    if (std::find(bound.begin(), bound.end(), variable) == bound.end()) {
      return Fault{"the variable " + terms.name(variable) + " of the " + where +
                       " does not occur on the left side",
                   "what should it stand for? Declare it as a constant, or use it on the left",
                   variable};
    }
  }
  return std::nullopt;
}

// A variable has the sort of the first place where it was seen; other terms that of their symbol.
std::optional<std::uint32_t> known_sort(const RuleSet& rules, Term term,
                                        const VariableSorts& variables) {
  const Symbol symbol = rules.terms.symbol(term);
  if (rules.terms.is_variable(symbol)) {
    const auto found = variables.find(symbol);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  }
  const auto found = rules.profiles.find(symbol);
  return found == rules.profiles.end() ? std::nullopt : std::optional(found->second.result);
}

// The term must have this sort; a variable that was never seen gets it.
std::optional<Fault> expect_sort(const RuleSet& rules, Term term, std::uint32_t sort,
                                 VariableSorts& variables, const std::string& place) {
  const Symbol symbol = rules.terms.symbol(term);
  if (rules.terms.is_variable(symbol)) variables.try_emplace(symbol, sort);
  const std::optional<std::uint32_t> found = known_sort(rules, term, variables);
  if (found == sort) return std::nullopt;
  return Fault{place + " is of sort " + rules.sorts[sort] + ", but " +
                   excerpt(rules.terms.name(symbol)) + " is of sort " +
                   rules.sorts[found.value_or(0)],
               {},
               symbol};
}

}  // namespace

void add_to_signature(RuleSet& rules, Symbol symbol) {
  if (std::find(rules.signature.begin(), rules.signature.end(), symbol) == rules.signature.end()) {
    rules.signature.push_back(symbol);
  }
}

std::optional<Fault> check_rule(const Terms& terms, const Rule& rule) {
  if (terms.is_variable(rule.left)) {
    return Fault{"the left side is a variable: " + terms.name(terms.symbol(rule.left)),
                 "it would rewrite everything; a left side begins with a function symbol",
                 terms.symbol(rule.left)};
  }
  const std::vector<Symbol> bound = variables_of(terms, rule.left);
  if (auto fault = unbound_in(terms, rule.right, bound, "right side")) return fault;
  for (const Condition& condition : rule.conditions) {
    if (auto fault = unbound_in(terms, condition.left, bound, "condition")) return fault;
    if (auto fault = unbound_in(terms, condition.right, bound, "condition")) return fault;
  }
  return std::nullopt;
}

std::optional<Fault> check_sorts(const RuleSet& rules, Term term, VariableSorts& variables) {
  const Terms& terms = rules.terms;
  for (const Term part : distinct_subterms(terms, term)) {
    const Symbol symbol = terms.symbol(part);
    if (terms.is_variable(symbol)) continue;
    const auto found = rules.profiles.find(symbol);
    if (found == rules.profiles.end()) {
      return Fault{"unknown symbol " + excerpt(terms.name(symbol)), "declare it with its sorts",
                   symbol};
    }
    for (std::size_t i = 0; i < found->second.args.size(); ++i) {
      const std::string place = "argument " + std::to_string(i + 1) + " of " + terms.name(symbol);
      auto fault = expect_sort(rules, terms.arg(part, i), found->second.args[i], variables, place);
      if (fault) return fault;
    }
  }
  return std::nullopt;
}

std::optional<Fault> check_sorts(const RuleSet& rules, const Rule& rule, VariableSorts& variables) {
  if (auto fault = check_sorts(rules, rule.left, variables)) return fault;
  const auto same = [&](Term left, Term right, const std::string& place) -> std::optional<Fault> {
    if (auto fault = check_sorts(rules, left, variables)) return fault;
    if (auto fault = check_sorts(rules, right, variables)) return fault;
    const std::optional<std::uint32_t> sort = known_sort(rules, left, variables);
    return sort ? expect_sort(rules, right, *sort, variables, place) : std::nullopt;
  };
  if (auto fault = same(rule.left, rule.right, "the left side")) return fault;
  for (const Condition& condition : rule.conditions) {
    if (auto fault = same(condition.left, condition.right, "the condition's left side")) {
      return fault;
    }
  }
  return std::nullopt;
}

Resolve known_symbol(RuleSet& rules) {
  auto known = std::make_shared<std::unordered_map<std::string_view, std::vector<Symbol>>>();
  for (const Symbol symbol : rules.signature) (*known)[rules.terms.name(symbol)].push_back(symbol);
  return [&rules, known](const Token& name, std::size_t arity) {
    const auto found = known->find(name.text);
    if (found == known->end()) {
      if (!rules.sorts.empty()) {
        throw Error::at(name.offset, "unknown symbol " + excerpt(name.text),
                        "the rules declare all symbols; see `nrs rules`");
      }
      return any_symbol(rules.terms)(name, arity);
    }
    for (const Symbol symbol : found->second) {
      if (rules.terms.arity(symbol) == arity) return symbol;
    }
    throw Error::at(name.offset, excerpt(name.text) + " has " + counted(arity) + " here, " +
                                     std::to_string(rules.terms.arity(found->second.front())) +
                                     " in the rules");
  };
}

Term read_term(RuleSet& rules, std::string_view text, std::optional<Notation> notation) {
  const Term term =
      read_term(rules.terms, text, notation.value_or(rules.notation), known_symbol(rules));
  if (!rules.sorts.empty()) {
    VariableSorts variables;
    if (const auto fault = check_sorts(rules, term, variables)) {
      throw Error(ErrorKind::kInput, fault->message, fault->hint);
    }
  }
  return term;
}

std::string to_string(const Terms& terms, const Rule& rule, Notation notation) {
  std::string text = to_string(terms, rule.left, notation);
  text += " -> ";
  print_term(terms, rule.right, notation, text);
  for (std::size_t i = 0; i < rule.conditions.size(); ++i) {
    const Condition& condition = rule.conditions[i];
    text += i == 0 ? " if " : " and ";
    print_term(terms, condition.left, notation, text);
    text += condition.equal ? " = " : " <> ";
    print_term(terms, condition.right, notation, text);
  }
  return text;
}

// Both rules as one term each: their parts under a symbol that no reader makes.
bool same_up_to_renaming(Terms& terms, const Rule& a, const Rule& b) {
  const auto whole = [&](const Rule& rule) {
    std::vector<Term> parts{rule.left, rule.right};
    for (const Condition& condition : rule.conditions) {
      parts.push_back(condition.left);
      parts.push_back(condition.right);
    }
    return terms.make(terms.symbol("", parts.size()), parts);
  };
  const auto kinds_agree = [](const Condition& one, const Condition& other) {
    return one.equal == other.equal;
  };
  return std::equal(a.conditions.begin(), a.conditions.end(), b.conditions.begin(),
                    b.conditions.end(), kinds_agree) &&
         same_up_to_renaming(terms, whole(a), whole(b));
}

}  // namespace nrs::term
