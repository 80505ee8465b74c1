#pragma once
// Verbs that are programs of their own.
#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/other_program.h"

namespace nrs::cli {

// Becomes the other program, which sees these words as its command line. Throws Error.
[[noreturn]] int run_other(const OtherProgram& program, std::vector<std::string> command);

// The other program has the same verb: it reads the options, and prints the help. They are written
// down once, there.
void hand_over(CLI::App& verb, Action& action, const OtherProgram& program);

}  // namespace nrs::cli
