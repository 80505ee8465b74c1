#pragma once
// The verbs of the program nrs-lab, and what they share.
#include <string>

#include "cli/options.h"

namespace nrs::lab {

void add_ablate(CLI::App& app, cli::Action& action);
void add_baseline(CLI::App& app, cli::Action& action);
void add_report(CLI::App& app, cli::Action& action);
void add_reproduce(CLI::App& app, cli::Action& action);
void add_tune(CLI::App& app, cli::Action& action);

// Trainings that do not depend on each other, handed out as commands: nrs bulk runs them, on one
// machine or many. The verb, called again, finds what they have made.
struct HandedOut {
  bool list = false;  // print a command for each training that is outstanding
  std::string task;   // train this one only
};

// --tasks and --task.
void add_task_options(CLI::App& verb, HandedOut& options);

// The command that was given, for one task instead of the list, as a line for a shell anywhere.
std::string command_for(const std::string& task);

}  // namespace nrs::lab
