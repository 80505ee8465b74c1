#pragma once
// What the readers of all rule formats share.
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "term/rule.h"
#include "term/source.h"

namespace nrs::term {

// No rule file is longer.
constexpr std::size_t kMostRuleBytes = std::size_t{256} << 20;

// Reads the terms of rules, knows where each symbol stood, and checks what it is given.
class RuleReader {
 public:
  // Symbols that the set has already count as declared.
  RuleReader(const Source& source, RuleSet& rules);

  // A declaration of a function symbol; an error if it has been declared.
  Symbol declare(const Token& name, std::size_t arity);
  // A declared function symbol used with so many arguments. Null if the name is not declared.
  const Symbol* declared(const Token& name, std::size_t arity);
  // The declared symbol of a name, whatever its arity.
  const Symbol* find(std::string_view name) const;

  // Says which sort a variable has from here on, wherever it stands.
  void declare_variable(Symbol variable, std::uint32_t sort) { variables_[variable] = sort; }

  // Begins a rule.
  void begin() { seen_.clear(); }
  // Notes that the symbol stands there.
  Symbol note(Symbol symbol, const Token& place);
  // Checks a rule that began at `offset` and adds it.
  void add(Rule rule, std::size_t offset);
  // Checks the sorts of a term that began at `offset`.
  void check_term(Term term, std::size_t offset);

  const Source& source() const { return source_; }
  RuleSet& rules() { return rules_; }

 private:
  Error error(const Fault& fault, std::size_t offset) const;

  const Source& source_;
  RuleSet& rules_;
  std::unordered_map<std::string, Symbol> declared_;
  VariableSorts variables_;                       // those that are declared
  std::unordered_map<Symbol, std::size_t> seen_;  // the first place
};

void read_text_rules(const Source& source, RuleSet& rules);
void read_ari_rules(const Source& source, RuleSet& rules);
void read_trs_rules(const Source& source, RuleSet& rules);
void read_rec_rules(const Source& source, RuleSet& rules, const std::filesystem::path& folder);

}  // namespace nrs::term
