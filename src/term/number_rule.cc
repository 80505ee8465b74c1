#include "term/number_rule.h"

#include <fmt/format.h>

#include <algorithm>

#include "nrs/error.h"
#include "term/position.h"

namespace nrs::term {
namespace {

constexpr std::string_view kNumberVariable = "?n";

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// The different computed places of a right side, from the left.
std::vector<Symbol> places_of(const Terms& terms, Term right) {
  std::vector<Symbol> places = variables_of(terms, right);
  std::erase_if(places, [&](Symbol s) { return !is_computed_place(terms.name(s)); });
  return places;
}

std::string joined(std::span<const std::string> numbers) {
  std::string text;
  for (const std::string& number : numbers) text += (text.empty() ? "" : ",") + number;
  return text;
}

std::vector<std::string_view> split_numbers(std::string_view text) {
  std::vector<std::string_view> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    numbers.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return numbers;
}

}  // namespace

bool is_number(std::string_view name) {
  if (name.starts_with('-')) name.remove_prefix(1);
  return all_digits(name);
}

bool is_number(const Terms& terms, Term term) {
  return terms.args(term).empty() && !terms.is_variable(term) &&
         is_number(terms.name(terms.symbol(term)));
}

Term number_variable(Terms& terms, std::size_t i) {
  return terms.variable(fmt::format("{}{}", kNumberVariable, i));
}

Term computed_place(Terms& terms, std::size_t i) {
  return terms.variable(fmt::format("{{{}}}", i));
}

bool is_number_variable(std::string_view name) {
  return name.starts_with(kNumberVariable) && all_digits(name.substr(kNumberVariable.size()));
}

bool is_computed_place(std::string_view name) {
  return name.size() > 2 && name.starts_with('{') && name.ends_with('}') &&
         all_digits(name.substr(1, name.size() - 2));
}

bool has_computed_places(const Terms& terms, const NumberRule& rule) {
  return rule.rights.size() > 1 || !places_of(terms, rule.rights.front()).empty();
}

bool match_numbers(const Terms& terms, const NumberRule& rule, Term subject,
                   Substitution& substitution) {
  if (!match(terms, rule.left, subject, substitution)) return false;
  return std::all_of(substitution.begin(), substitution.end(), [&](const auto& binding) {
    return !is_number_variable(terms.name(binding.first)) || is_number(terms, binding.second);
  });
}

std::string question_of(const Terms& terms, const NumberRule& rule, std::size_t number,
                        const Substitution& substitution) {
  std::vector<std::string> numbers;
  for (const Symbol variable : variables_of(terms, rule.left)) {
    if (!is_number_variable(terms.name(variable))) continue;
    numbers.push_back(terms.name(terms.symbol(*substitution.find(variable))));
  }
  return question_of(number, numbers);
}

std::string question_of(std::size_t number, std::span<const std::string> numbers) {
  return fmt::format("{}:{}", number, joined(numbers));
}

std::string answer_of(std::size_t right, std::size_t rights, std::span<const std::string> numbers) {
  const std::string letter = rights > 1 ? std::string(1, static_cast<char>('a' + right)) : "";
  return letter + joined(numbers);
}

std::optional<Term> apply_answer(Terms& terms, const NumberRule& rule, std::string_view answer,
                                 Substitution substitution) {
  std::size_t chosen = 0;
  if (rule.rights.size() > 1) {
    if (answer.empty() || answer[0] < 'a') return std::nullopt;
    chosen = static_cast<std::size_t>(answer[0] - 'a');
    if (chosen >= rule.rights.size()) return std::nullopt;
    answer.remove_prefix(1);
  }
  const Term right = rule.rights[chosen];
  const std::size_t places = places_of(terms, right).size();
  if (places == 0) {
    return answer.empty() ? std::optional(instantiate(terms, right, substitution)) : std::nullopt;
  }
  const std::vector<std::string_view> numbers = split_numbers(answer);
  if (numbers.size() != places) return std::nullopt;
  for (std::size_t i = 0; i < places; ++i) {
    if (!is_number(numbers[i])) return std::nullopt;
    substitution.bind(terms.symbol(computed_place(terms, i + 1)), terms.constant(numbers[i]));
  }
  return instantiate(terms, right, substitution);
}

std::string to_string(const Terms& terms, const NumberRule& rule, Notation notation) {
  std::string text = to_string(terms, rule.left, notation) + " -> ";
  for (std::size_t i = 0; i < rule.rights.size(); ++i) {
    text += (i == 0 ? "" : " or ") + to_string(terms, rule.rights[i], notation);
  }
  return text;
}

Term read_number_side(Terms& terms, std::string_view text, Notation notation) {
  const Resolve usual = any_symbol(terms);
  return read_term(terms, text, notation, [&](const Token& name, std::size_t arity) {
    return is_computed_place(name.text) && arity == 0 ? terms.variable_symbol(name.text)
                                                      : usual(name, arity);
  });
}

void check_number_rule(const Terms& terms, const NumberRule& rule) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::kInput,
                fmt::format("the rule for numbers {}: {}", to_string(terms, rule), what));
  };
  if (rule.rights.empty() || rule.rights.size() > NumberRule::kMostRights) {
    refuse("it must have a right side, and not too many");
  }
  if (terms.is_variable(rule.left)) refuse("the left side is a variable");
  const std::vector<Symbol> bound = variables_of(terms, rule.left);
  if (std::ranges::any_of(bound, [&](Symbol s) { return is_computed_place(terms.name(s)); })) {
    refuse("a place to be computed is on the left side");
  }
  for (const Term right : rule.rights) {
    const std::size_t places = places_of(terms, right).size();
    for (const Symbol variable : variables_of(terms, right)) {
      const std::string& name = terms.name(variable);
      const bool known = std::ranges::find(bound, variable) != bound.end();
      const bool place =
          is_computed_place(name) && name.size() < 9 && std::stoul(name.substr(1)) - 1 < places;
      if (!known && !place) refuse(name + " is only on the right side");
    }
  }
}

}  // namespace nrs::term
