#pragma once
// Verbs that are programs of their own.
#include "cli/options.h"
#include "cli/other_program.h"

namespace nrs {

// Whether the other program has verbs of its own, this one among them.
enum class Verbs { kNone, kSame };

// That program reads the options of the verb, and prints its own help: they are written down once,
// there.
void hand_over(CLI::App& verb, Action& action, const OtherProgram& program, Verbs verbs);

}  // namespace nrs
