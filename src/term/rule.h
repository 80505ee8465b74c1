#pragma once
// Rules and sets of them: what a rule file says, whatever its format.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "term/notation.h"
#include "term/number_rule.h"
#include "term/term.h"

namespace nrs::term {

// Holds if both sides have the same normal form, or if they have not.
struct Condition {
  Term left;
  Term right;
  bool equal = true;
  bool operator==(const Condition&) const = default;
};

// left -> right if all conditions hold. Laws (check_rule): the left side is no variable, and every
// other variable of the rule occurs in it.
struct Rule {
  Term left;
  Term right;
  std::vector<Condition> conditions{};
  std::size_t line = 0;  // of the file it was read from; 0: from none
};

// The sort of each argument and of the result, as numbers of RuleSet::sorts.
struct Profile {
  std::vector<std::uint32_t> args;
  std::uint32_t result = 0;
  bool constructor = false;  // the file says that no rule rewrites it
};

// A rule set owns the store of its terms. Rules are tried in their order.
struct RuleSet {
  std::string name;  // of the file or module, without folder and extension
  Terms terms;
  std::vector<Rule> rules;
  // Tried after the others. No file has them, but models of learned rules.
  std::vector<NumberRule> number_rules{};
  std::vector<Symbol> signature;  // the function symbols, in the order of the file
  // Only if the file has sorts: their names, and the profile of each function symbol. A variable
  // has the sort of the places where it stands.
  std::vector<std::string> sorts;
  std::unordered_map<Symbol, Profile> profiles;
  std::vector<Term> evals;                    // the terms that a REC file asks for
  Notation notation = Notation::kFunctional;  // of terms for these rules, unless someone says more
};

// Appends the symbol to the signature if it is not in it.
void add_to_signature(RuleSet& rules, Symbol symbol);

// What is wrong with a rule or a term.
struct Fault {
  std::string message;
  std::string hint{};
  std::optional<Symbol> culprit{};  // the symbol that is out of place, if it is one
};
// Nothing if the rule is well-formed.
std::optional<Fault> check_rule(const Terms& terms, const Rule& rule);

// The sorts of variables.
using VariableSorts = std::unordered_map<Symbol, std::uint32_t>;
// Checks a term of a set with sorts and learns the sorts of variables from the places where they
// stand. Nothing if all is well.
std::optional<Fault> check_sorts(const RuleSet& rules, Term term, VariableSorts& variables);
// The same for all terms of a rule.
std::optional<Fault> check_sorts(const RuleSet& rules, const Rule& rule, VariableSorts& variables);

// For terms from outside: a name that the rules know must have the arity it has there. In a set
// with sorts every symbol must be known; elsewhere others are new free symbols. Names that begin
// with '?' are variables.
Resolve known_symbol(RuleSet& rules);
// Reads a term for these rules, in their notation unless another is given, and checks its sorts.
Term read_term(RuleSet& rules, std::string_view text, std::optional<Notation> notation = {});

// "plus(s(x),y) -> s(plus(x,y))", with "if l = r and l <> r" behind it.
std::string to_string(const Terms& terms, const Rule& rule,
                      Notation notation = Notation::kFunctional);

// Whether two rules differ only in the names of their variables.
bool same_up_to_renaming(Terms& terms, const Rule& a, const Rule& b);

}  // namespace nrs::term
