#pragma once
// nrs learn: a rewriting system from worked examples. Knows no option parser.
#include <string>

#include "cli/learn_rules.h"

namespace nrs::cli {

// What can be learned: names of architectures.
inline const std::string kLearnRules = "rules", kLearnPatterns = "patterns",
                         kLearnNetworks = "fastnrs";

// Prints what was learned and writes it. Returns the exit code. Throws Error.
int learn(LearnOptions options);

}  // namespace nrs::cli
