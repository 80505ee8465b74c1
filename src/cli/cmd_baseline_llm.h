#pragma once
// nrs baseline llm, a verb of the program nrs-lab.
#include "cli/options.h"

namespace nrs {

void add_baseline_llm(CLI::App& app, Action& action);

}  // namespace nrs
