#pragma once
// Programs beside this one, for work whose libraries would slow down every start of it.
#include <filesystem>
#include <string>
#include <vector>

namespace nrs::cli {

struct OtherProgram {
  std::string name;
  std::string purpose;  // for "this build cannot ..."
  std::string hint;     // and how another one could
};

// nrs-learn, which trains.
OtherProgram trainer();
// Where the program is. In a clone it is built first, unless that was done before: the environment
// variable NRS_BUILD then names the script that does so. Throws Error (usage) if this build has
// none, (I/O) if it cannot be built.
std::filesystem::path find_program(const OtherProgram& program);
// Becomes the other program, which sees these words as its command line. Throws Error.
[[noreturn]] int run_other(const OtherProgram& program, std::vector<std::string> command);

}  // namespace nrs::cli
