#pragma once
// Rules about numbers. Their variables ?n1, ?n2, ... stand for numbers only; other variables stand
// for any term. A right side may have places {1}, {2}, ... for numbers that have to be computed:
//   d(mul(?n1,pow(x,?n2))) -> mul({1},pow(x,{2}))
// What is asked is a short text, the number of the rule and the numbers that it has matched,
// "0:3,4"; the answer is what goes into the places, "12,3". A rule with several right sides is
// answered with the letter of one of them in front, "b12".
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "term/match.h"
#include "term/notation.h"
#include "term/term.h"

namespace nrs::term {

struct NumberRule {
  Term left;
  std::vector<Term> rights;  // at most kMostRights

  static constexpr std::size_t kMostRights = 26;
};

// Digits, with '-' in front or without.
bool is_number(std::string_view name);
bool is_number(const Terms& terms, Term term);
// The symbols of ?nI and {I}.
Term number_variable(Terms& terms, std::size_t i);
Term computed_place(Terms& terms, std::size_t i);
bool is_number_variable(std::string_view name);
bool is_computed_place(std::string_view name);

// Whether something has to be computed before the rule gives a result.
bool has_computed_places(const Terms& terms, const NumberRule& rule);

// Whether the left side matches, its number variables numbers only.
bool match_numbers(const Terms& terms, const NumberRule& rule, Term subject,
                   Substitution& substitution);
// What is asked about a match: the numbers in the order of their variables from the left.
std::string question_of(const Terms& terms, const NumberRule& rule, std::size_t number,
                        const Substitution& substitution);
std::string question_of(std::size_t number, std::span<const std::string> numbers);
std::string answer_of(std::size_t right, std::size_t rights, std::span<const std::string> numbers);
// The right side with the answer in it; nothing if the answer does not fit. A rule without computed
// places needs no answer.
std::optional<Term> apply_answer(Terms& terms, const NumberRule& rule, std::string_view answer,
                                 Substitution substitution);

// "d(?n1) -> 0"; right sides are separated by " or ".
std::string to_string(const Terms& terms, const NumberRule& rule,
                      Notation notation = Notation::kFunctional);
// Reads one side of such a rule. Throws Error.
Term read_number_side(Terms& terms, std::string_view text, Notation notation);
// Throws Error (input) unless the left side is no variable, every variable of a right side occurs
// in it, and the computed places of each right side are numbered from 1.
void check_number_rule(const Terms& terms, const NumberRule& rule);

}  // namespace nrs::term
