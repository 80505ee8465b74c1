#include "term/rule_reader.h"

#include <array>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "term/rule_file.h"

namespace nrs::term {
namespace {}  // namespace

RuleReader::RuleReader(const Source& source, RuleSet& rules) : source_(source), rules_(rules) {
  for (const Symbol symbol : rules.signature) declared_.emplace(rules.terms.name(symbol), symbol);
}

Symbol RuleReader::declare(const Token& name, std::size_t arity) {
  if (const auto found = declared_.find(std::string(name.text)); found != declared_.end()) {
    throw source_.error(name.offset, "the symbol " + excerpt(name.text) + " is declared twice",
                        "remove one of the declarations");
  }
  const Symbol symbol = rules_.terms.symbol(name.text, arity);
  declared_.emplace(name.text, symbol);
  rules_.signature.push_back(symbol);
  return symbol;
}

const Symbol* RuleReader::find(std::string_view name) const {
  const auto found = declared_.find(std::string(name));
  return found == declared_.end() ? nullptr : &found->second;
}

const Symbol* RuleReader::declared(const Token& name, std::size_t arity) {
  const Symbol* symbol = find(name.text);
  if (symbol == nullptr) return nullptr;
  const std::size_t right = rules_.terms.arity(*symbol);
  if (right != arity) {
    throw source_.error(name.offset, excerpt(name.text) + " has " + std::to_string(arity) +
                                         (arity == 1 ? " argument" : " arguments") +
                                         " here, but its arity is " + std::to_string(right));
  }
  return symbol;
}

Symbol RuleReader::note(Symbol symbol, const Token& place) {
  seen_.try_emplace(symbol, place.offset);
  return symbol;
}

Error RuleReader::error(const Fault& fault, std::size_t offset) const {
  if (fault.culprit) {
    if (const auto found = seen_.find(*fault.culprit); found != seen_.end()) offset = found->second;
  }
  return source_.error(offset, fault.message, fault.hint);
}

void RuleReader::add(Rule rule, std::size_t offset) {
  if (const auto fault = check_rule(rules_.terms, rule)) throw error(*fault, offset);
  if (!rules_.sorts.empty()) {
    VariableSorts variables = variables_;
    if (const auto fault = check_sorts(rules_, rule, variables)) throw error(*fault, offset);
  }
  rule.line = source_.line_of(offset);
  rules_.rules.push_back(std::move(rule));
}

void RuleReader::check_term(Term term, std::size_t offset) {
  VariableSorts variables = variables_;
  if (const auto fault = check_sorts(rules_, term, variables)) throw error(*fault, offset);
}

RuleFormat rule_format_of_file(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  return enum_value<RuleFormat>(extension.empty() ? "" : extension.substr(1))
      .value_or(RuleFormat::kText);
}

RuleSet read_rule_file(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  return read_rules(read_input(path, kMostRuleBytes), rule_format_of_file(path),
                    path == "-" ? "standard input" : path.string(), folder);
}

RuleSet read_rules(std::string_view text, RuleFormat format, const std::string& name,
                   const std::filesystem::path& folder) {
  RuleSet rules;
  rules.name = std::filesystem::path(name).stem().string();
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const Source source(text, name);
  switch (format) {
    case RuleFormat::kText:
      read_text_rules(source, rules);
      break;
    case RuleFormat::kAri:
      read_ari_rules(source, rules);
      break;
    case RuleFormat::kTrs:
      read_trs_rules(source, rules);
      break;
    case RuleFormat::kRec:
      read_rec_rules(source, rules, folder);
      break;
  }
  return rules;
}

}  // namespace nrs::term
