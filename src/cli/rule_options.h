#pragma once
// The options of verbs that can run a rule file instead of a model.
#include "cli/by_rules.h"
#include "cli/options.h"

namespace nrs::cli {

// --rules and what goes with it. The verb must have --model already.
void add_rule_options(CLI::App& verb, RuleRunOptions& options);

}  // namespace nrs::cli
