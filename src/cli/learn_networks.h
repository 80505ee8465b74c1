#pragma once
// nrs learn for networks: a Selector and a Solver are trained on what the patterns found.
#include "cli/learn_rules.h"

namespace nrs::cli {

// Beside the model it writes MODEL.traces.jsonl, all formulas with all their leaves, and
// MODEL.toml, the recipe: nrs train takes both, also after someone has changed them. Prints how it
// did on held-out examples. Returns the exit code. Throws Error.
int learn_networks(const LearnOptions& options, const Lesson& lesson);

}  // namespace nrs::cli
