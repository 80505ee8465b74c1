#pragma once
// A model of learned rules: each rule as text with what speaks for it, rules about numbers with a
// table of what was taught, and a Solver for what is in no table.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "architectures/architecture.h"
#include "rewrite/rules/rule_rewriter.h"
#include "runtime/table_solver.h"
#include "term/rule.h"

namespace nrs::architectures {

inline constexpr std::string_view kRulesArchitecture = "rules";
inline constexpr std::string_view kRulesModule = "rules";

// What the examples say for a rule.
struct RuleSupport {
  std::uint64_t steps = 0;             // that it explains
  std::uint64_t redexes = 0;           // different ones among them
  std::vector<std::uint32_t> lines{};  // of the examples, in which it does
  bool guess = false;                  // little speaks for it
  std::string question{};              // of a guess: the term that would decide; may be empty

  bool operator==(const RuleSupport&) const = default;
};

struct StoredRule {
  std::string left;
  std::vector<std::string> rights;  // one, but for rules about numbers
  RuleSupport support{};

  bool operator==(const StoredRule&) const = default;
};

struct RuleModel {
  term::Notation notation = term::Notation::kFunctional;
  std::vector<StoredRule> rules;
  std::vector<StoredRule> number_rules;  // term/number_rule.h
  // Questions about numbers and their answers, exactly as they were taught.
  runtime::AnswerTable table;

  bool operator==(const RuleModel&) const = default;
};

// Law: rules_of() of a model with what to_module() gives is the same again.
model::Module to_module(const RuleModel& rules);
// Throws Error (input) if the model has no such module, or it does not hold together.
RuleModel rules_of(const model::Model& model);
// The rules themselves. Throws Error (input) as above, and if one is no rule.
term::RuleSet rule_set_of(const model::Model& model);

// What was proved of its rules (check/check.h), as the certificate of the model.
void store_rule_certificate(model::Model& model, const std::string& certificate);
// Throws Error (input) if the model has none, or one of another model.
std::string stored_rule_certificate(const model::Model& model);

// A Rewriter by rules of a file, with the settings of the architecture. Throws Error.
std::unique_ptr<const rewrite::rules::RuleRewriter> make_rule_rewriter(
    term::RuleSet rules, const RewriterOptions& options);

}  // namespace nrs::architectures
