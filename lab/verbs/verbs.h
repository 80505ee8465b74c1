#pragma once
// The verbs of the program nrs-lab.
#include "cli/options.h"

namespace nrs::lab {

void add_ablate(CLI::App& app, cli::Action& action);
void add_baseline(CLI::App& app, cli::Action& action);
void add_report(CLI::App& app, cli::Action& action);
void add_reproduce(CLI::App& app, cli::Action& action);
void add_tune(CLI::App& app, cli::Action& action);

}  // namespace nrs::lab
