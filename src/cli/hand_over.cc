#include "cli/hand_over.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "cli/models.h"
#include "nrs/error.h"

namespace nrs {
namespace {

namespace fs = std::filesystem;

int run_other(const OtherProgram& other, std::vector<std::string> arguments) {
  const fs::path program = find_program(other);
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (std::string& argument : arguments) {
    argument = as_given(argument);
    words.push_back(argument.data());
  }
  words.push_back(nullptr);
  ::execv(program.c_str(), words.data());
  throw Error(ErrorKind::kIo, program.string() + ": cannot run: " + std::strerror(errno));
}

}  // namespace

OtherProgram trainer() {
  return {"nrs-learn", "train", "build with -D NRS_LEARN=ON, which needs libtorch"};
}

fs::path find_program(const OtherProgram& other) {
  const fs::path program = program_folder() / other.name;
  if (fs::exists(program)) return program;
  throw Error(ErrorKind::kUsage,
              "this build cannot " + other.purpose + ": there is no " + program.string(),
              other.hint);
}

void hand_over(CLI::App& verb, Action& action, const OtherProgram& program) {
  verb.prefix_command();
  verb.set_help_flag();
  verb.callback([&verb, &action, program] {
    action = [&verb, program] { return run_other(program, verb.remaining()); };
  });
}

}  // namespace nrs
