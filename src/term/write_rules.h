#pragma once
// Rule sets as text, in the formats that we read and as a Maude module.
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "term/rule.h"
#include "term/rule_file.h"

namespace nrs::term {

// Laws: what is written can be read again, and has the same rules up to the names of variables. A
// format that cannot say something refuses it: Error (input) for conditions in ARI and .trs. Sorts
// are written where the format has them, and inferred where it needs them; a symbol whose name the
// format does not allow gets another one.
std::string write_rules(const RuleSet& rules, RuleFormat format);

// A functional module; `red` commands for the terms to evaluate follow it.
std::string write_maude(const RuleSet& rules);

// Names of symbols in a language that allows only letters, digits and underscores.
class PlainNames {
 public:
  // `underscore` stands for an underscore, `reserved` words get another name.
  PlainNames(const RuleSet& rules, std::string_view underscore,
             std::unordered_set<std::string> reserved);

  // Of a function symbol or a variable.
  const std::string& operator[](Symbol symbol) const { return names_.at(symbol); }
  // A term in functional notation, with these names.
  std::string text(const Terms& terms, Term term) const;
  // A name like this one that nothing has yet.
  std::string take(std::string_view name);

 private:
  std::string underscore_;
  std::unordered_set<std::string> taken_;
  std::unordered_map<Symbol, std::string> names_;
};

}  // namespace nrs::term
