#pragma once
// Rules as verbs are given them: a rule file, or a model of learned rules.
#include <optional>
#include <string>

#include "model/model_file.h"
#include "term/rule.h"

namespace nrs::cli {

// Whether an argument is a file of rules as text. A model is none, and neither is a name.
bool is_rule_text(const std::string& argument);

// The file that is meant: a path, or that of a model which is given by its name.
std::string rule_path(const std::string& argument);

struct RuleInput {
  term::RuleSet rules;
  std::optional<model::Model> model{};  // whose rules they are, if of one
};
// Throws Error, also for a model that has no rules.
RuleInput read_rule_input(const std::string& argument);

// Throws Error (usage) with `what` cannot be done if some rules need numbers to be computed.
void refuse_number_rules(const RuleInput& input, const std::string& what);

// How many there are, for those who go on without them; empty if none.
std::string without_number_rules(const term::RuleSet& rules);

}  // namespace nrs::cli
