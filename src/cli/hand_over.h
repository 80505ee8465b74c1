#pragma once
// Verbs that are programs of their own, beside this one: what they need would make every start
// slow.
#include <filesystem>
#include <string>

#include "cli/options.h"

namespace nrs {

struct OtherProgram {
  std::string name;
  std::string purpose;  // for "this build cannot ..."
  std::string hint;     // and how another one could
};

// nrs-learn, which trains.
OtherProgram trainer();
// Where the program is. Throws Error (usage) if this build has none.
std::filesystem::path find_program(const OtherProgram& program);

// That program reads the options of the verb, and prints its own help: they are written down once,
// there.
void hand_over(CLI::App& verb, Action& action, const OtherProgram& program);

}  // namespace nrs
