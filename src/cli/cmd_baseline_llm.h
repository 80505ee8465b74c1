#pragma once
// nrs baseline llm, the verb of the program nrs-baseline.
#include "cli/options.h"

namespace nrs {

void add_baseline_llm(CLI::App& app, Action& action);

}  // namespace nrs
