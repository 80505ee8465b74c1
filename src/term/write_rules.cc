#include "term/write_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>

#include "base/text.h"
#include "term/position.h"
#include "term/sorts.h"

namespace nrs::term {
namespace {

// Variables of all rules, in the order of the file.
std::vector<Symbol> variables_of_rules(const RuleSet& rules) {
  std::vector<Symbol> all;
  std::unordered_set<Symbol> seen;
  for (const Rule& rule : rules.rules) {
    for (const Symbol variable : variables_of(rules.terms, rule.left)) {
      if (seen.insert(variable).second) all.push_back(variable);
    }
  }
  return all;
}

void refuse_conditions(const RuleSet& rules, std::string_view format) {
  for (const Rule& rule : rules.rules) {
    if (rule.conditions.empty()) continue;
    throw Error(ErrorKind::kInput,
                "the format " + std::string(format) + " has no conditional rules such as " +
                    excerpt(to_string(rules.terms, rule), 80),
                "text, rec and maude have them");
  }
}

// The set with its variables renamed where a function symbol has their name.
RuleSet with_own_variables(RuleSet rules) {
  std::unordered_map<Symbol, Term> renamed;
  for (const Symbol variable : variables_of_rules(rules)) {
    std::string name = rules.terms.name(variable);
    while (!rules.terms.arities_of(name).empty()) name += "'";
    renamed.emplace(variable, rules.terms.variable(name));
  }
  const auto change = [&](Term term) {
    return rebuild(rules.terms, term, [&](Term part) -> std::optional<Term> {
      if (rules.terms.ground(part)) return part;
      if (!rules.terms.is_variable(part)) return std::nullopt;
      return renamed.at(rules.terms.symbol(part));
    });
  };
  for (Rule& rule : rules.rules) {
    rule.left = change(rule.left);
    rule.right = change(rule.right);
    for (Condition& condition : rule.conditions) {
      condition = {change(condition.left), change(condition.right), condition.equal};
    }
  }
  return rules;
}

std::string write_text(const RuleSet& given) {
  const RuleSet rules = with_own_variables(given);
  std::string out;
  if (rules.notation != Notation::kFunctional) {
    out += "notation " + std::string(enum_name(rules.notation)) + "\n";
  }
  std::string variables;
  for (const Symbol variable : variables_of_rules(rules)) {
    const std::string& name = rules.terms.name(variable);
    if (!name.starts_with('?')) variables += fmt::format(" {}", written_name(name));
  }
  if (!variables.empty()) out += "variables" + variables + "\n";
  for (const Rule& rule : rules.rules) out += to_string(rules.terms, rule, rules.notation) + "\n";
  return out;
}

std::string write_trs(const RuleSet& given) {
  refuse_conditions(given, "trs");
  const RuleSet rules = with_own_variables(given);
  std::string out = "(VAR";
  for (const Symbol variable : variables_of_rules(rules)) {
    out += fmt::format(" {}", written_name(rules.terms.name(variable)));
  }
  out += ")\n(RULES\n";
  for (const Rule& rule : rules.rules) out += "  " + to_string(rules.terms, rule) + "\n";
  return out + ")\n";
}

// Names that could be taken for numbers are written between bars.
std::string ari_name(std::string_view name) {
  const bool digit = !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) != 0;
  return digit ? fmt::format("|{}|", name) : written_name(name);
}

std::string write_ari(const RuleSet& given) {
  refuse_conditions(given, "ari");
  const RuleSet rules = with_own_variables(given);
  const bool sorted = !rules.sorts.empty();
  std::string out = sorted ? "(format MSTRS)\n" : "(format TRS)\n";
  for (const std::string& sort : rules.sorts) out += "(sort " + ari_name(sort) + ")\n";
  for (const Symbol symbol : rules.signature) {
    out += "(fun " + ari_name(rules.terms.name(symbol)) + " ";
    const std::size_t arity = rules.terms.arity(symbol);
    if (!sorted) {
      out += std::to_string(arity);
    } else {
      const Profile& profile = rules.profiles.at(symbol);
      if (arity > 0) out += "(->";
      for (const std::uint32_t sort : profile.args)
        out += fmt::format(" {}", ari_name(rules.sorts[sort]));
      out += fmt::format("{}{}", arity > 0 ? " " : "", ari_name(rules.sorts[profile.result]));
      if (arity > 0) out += ")";
    }
    out += ")\n";
  }
  for (const Rule& rule : rules.rules) {
    out += "(rule " + to_string(rules.terms, rule.left, Notation::kSexpr) + " " +
           to_string(rules.terms, rule.right, Notation::kSexpr) + ")\n";
  }
  return out;
}

// The set with sorts, and how its variables are declared: those of one sort in one line. A variable
// that has two sorts in two rules gets a name for each.
struct Sorted {
  RuleSet rules;
  std::vector<std::vector<Symbol>> variables{};  // of each sort
};

Sorted with_sorts(const RuleSet& given) {
  Sorted sorted{with_own_variables(given)};
  RuleSet& rules = sorted.rules;
  infer_sorts(rules);
  sorted.variables.resize(rules.sorts.size());
  std::unordered_map<Symbol, std::uint32_t> sort_of_variable;
  for (Rule& rule : rules.rules) {
    VariableSorts sorts;
    check_sorts(rules, rule, sorts);
    const auto change = [&](Term part) -> std::optional<Term> {
      if (rules.terms.ground(part)) return part;
      if (!rules.terms.is_variable(part)) return std::nullopt;
      const std::uint32_t sort = sorts.at(rules.terms.symbol(part));
      Symbol symbol = rules.terms.symbol(part);
      std::string name = rules.terms.name(symbol);
      for (auto [found, added] = sort_of_variable.try_emplace(symbol, sort); found->second != sort;
           std::tie(found, added) = sort_of_variable.try_emplace(symbol, sort)) {
        name += std::to_string(sort + 1);
        symbol = rules.terms.variable_symbol(name);
      }
      auto& declared = sorted.variables[sort];
      if (std::find(declared.begin(), declared.end(), symbol) == declared.end()) {
        declared.push_back(symbol);
      }
      return rules.terms.make(symbol, {});
    };
    const auto renamed = [&](Term term) { return rebuild(rules.terms, term, change); };
    rule.left = renamed(rule.left);
    rule.right = renamed(rule.right);
    for (Condition& condition : rule.conditions) {
      condition = {renamed(condition.left), renamed(condition.right), condition.equal};
    }
  }
  return sorted;
}

bool is_defined(const RuleSet& rules, Symbol symbol) {
  return std::any_of(rules.rules.begin(), rules.rules.end(),
                     [&](const Rule& rule) { return rules.terms.symbol(rule.left) == symbol; });
}

std::string profile_text(const Profile& profile, const std::vector<std::string>& sorts) {
  std::string text;
  for (const std::uint32_t sort : profile.args) text += " " + sorts[sort];
  return text + " -> " + sorts[profile.result];
}

std::string write_rec(const RuleSet& given) {
  const Sorted sorted = with_sorts(given);
  const RuleSet& rules = sorted.rules;
  PlainNames names(rules, "_",
                   {"REC-SPEC", "SORTS", "CONS", "OPNS", "VARS", "RULES", "EVAL", "if"});
  std::vector<std::string> sorts;
  for (const std::string& sort : rules.sorts) sorts.push_back(names.take(sort));
  std::string out =
      "REC-SPEC " + names.take(rules.name.empty() ? "Rules" : rules.name) + "\nSORTS\n ";
  for (const std::string& sort : sorts) out += " " + sort;
  for (const bool defined : {false, true}) {
    out += defined ? "\nOPNS" : "\nCONS";
    for (const Symbol symbol : rules.signature) {
      if (is_defined(rules, symbol) != defined) continue;
      out += "\n  " + names[symbol] + " :" + profile_text(rules.profiles.at(symbol), sorts);
    }
  }
  out += "\nVARS";
  for (std::size_t sort = 0; sort < sorts.size(); ++sort) {
    if (sorted.variables[sort].empty()) continue;
    out += "\n ";
    for (const Symbol variable : sorted.variables[sort]) out += " " + names[variable];
    out += " : " + sorts[sort];
  }
  out += "\nRULES";
  for (const Rule& rule : rules.rules) {
    out +=
        "\n  " + names.text(rules.terms, rule.left) + " -> " + names.text(rules.terms, rule.right);
    for (std::size_t i = 0; i < rule.conditions.size(); ++i) {
      const Condition& condition = rule.conditions[i];
      out += (i == 0 ? " if " : " and-if ") + names.text(rules.terms, condition.left) +
             (condition.equal ? " = " : " <> ") + names.text(rules.terms, condition.right);
    }
  }
  out += "\nEVAL";
  for (const Term term : rules.evals) out += "\n  " + names.text(rules.terms, term);
  return out + "\nEND-SPEC\n";
}

// A readable word for a character that names may not have.
std::string word_for(char c) {
  static const std::unordered_map<char, std::string> kWords{
      {'+', "plus"}, {'*', "times"}, {'-', "minus"}, {'/', "div"}, {'.', "dot"},
      {':', "cons"}, {'=', "eq"},    {'<', "lt"},    {'>', "gt"},  {'!', "not"},
      {'&', "and"},  {'^', "pow"},   {'\'', "p"},    {'?', ""},    {'#', "h"}};
  if (const auto found = kWords.find(c); found != kWords.end()) return found->second;
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return {'x', kDigits[byte >> 4], kDigits[byte & 15]};
}

}  // namespace

std::string write_rules(const RuleSet& rules, RuleFormat format) {
  switch (format) {
    case RuleFormat::kText:
      return write_text(rules);
    case RuleFormat::kAri:
      return write_ari(rules);
    case RuleFormat::kTrs:
      return write_trs(rules);
    case RuleFormat::kRec:
      return write_rec(rules);
  }
  return {};
}

PlainNames::PlainNames(const RuleSet& rules, std::string_view underscore,
                       std::unordered_set<std::string> reserved)
    : underscore_(underscore), taken_(std::move(reserved)) {
  const auto name = [&](Symbol symbol) {
    if (!names_.contains(symbol)) names_.emplace(symbol, take(rules.terms.name(symbol)));
  };
  for (const Symbol symbol : rules.signature) name(symbol);
  const auto name_all = [&](Term term) {
    for (const Term part : distinct_subterms(rules.terms, term)) name(rules.terms.symbol(part));
  };
  for (const Rule& rule : rules.rules) name_all(rule.left);
  for (const Term term : rules.evals) name_all(term);
}

std::string PlainNames::take(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      plain += c;
    } else {
      plain += c == '_' ? underscore_ : word_for(c);
    }
  }
  if (plain.empty() || std::isalpha(static_cast<unsigned char>(plain.front())) == 0) {
    plain.insert(0, "n");
  }
  std::string unique = plain;
  for (int i = 2; !taken_.insert(unique).second; ++i) unique = plain + "v" + std::to_string(i);
  return unique;
}

std::string PlainNames::text(const Terms& terms, Term term) const {
  std::string out;
  struct Item {
    std::string_view text;
    const Term* term = nullptr;
  };
  std::vector<Item> left{{"", &term}};
  while (!left.empty()) {
    const Item item = left.back();
    left.pop_back();
    out += item.text;
    if (item.term == nullptr) continue;
    out += names_.at(terms.symbol(*item.term));
    const std::span<const Term> args = terms.args(*item.term);
    if (args.empty()) continue;
    left.push_back({")"});
    for (std::size_t i = args.size(); i-- > 0;) left.push_back({i == 0 ? "(" : ",", &args[i]});
  }
  return out;
}

std::string write_maude(const RuleSet& given) {
  const Sorted sorted = with_sorts(given);
  const RuleSet& rules = sorted.rules;
  // Words of the language and of the modules for truth values, which conditions need.
  PlainNames names(rules, "u", {"true",  "false", "and",  "or",   "xor",  "not",       "implies",
                                "if",    "then",  "else", "fi",   "is",   "op",        "ops",
                                "eq",    "ceq",   "var",  "vars", "sort", "sorts",     "to",
                                "endfm", "owise", "red",  "in",   "Bool", "Universal", "ctor"});
  std::vector<std::string> sorts;
  for (const std::string& sort : rules.sorts) sorts.push_back(names.take(sort));
  std::string out =
      "fmod " + names.take(rules.name.empty() ? "RULES" : rules.name) + " is\n  sorts";
  const std::string module = out.substr(5, out.find(' ', 5) - 5);
  for (const std::string& sort : sorts) out += " " + sort;
  out += " .\n";
  for (const Symbol symbol : rules.signature) {
    out += "  op " + names[symbol] + " :" + profile_text(rules.profiles.at(symbol), sorts) +
           (is_defined(rules, symbol) ? " .\n" : " [ctor] .\n");
  }
  for (std::size_t sort = 0; sort < sorts.size(); ++sort) {
    if (sorted.variables[sort].empty()) continue;
    out += "  vars";
    for (const Symbol variable : sorted.variables[sort]) out += " " + names[variable];
    out += " : " + sorts[sort] + " .\n";
  }
  for (const Rule& rule : rules.rules) {
    out += (rule.conditions.empty() ? "  eq " : "  ceq ") + names.text(rules.terms, rule.left) +
           " = " + names.text(rules.terms, rule.right);
    for (std::size_t i = 0; i < rule.conditions.size(); ++i) {
      const Condition& condition = rule.conditions[i];
      out += (i == 0 ? " if " : " /\\ ") + names.text(rules.terms, condition.left) +
             (condition.equal ? " = " : " =/= ") + names.text(rules.terms, condition.right);
    }
    out += " .\n";
  }
  out += "endfm\n";
  for (const Term term : rules.evals) {
    out += "red in " + module + " : " + names.text(rules.terms, term) + " .\n";
  }
  return out;
}

}  // namespace nrs::term
