#include "cli/hand_over.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "cli/given.h"
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

void hand_over(CLI::App& verb, Action& action, const OtherProgram& program) {
  verb.prefix_command();
  verb.set_help_flag();
  verb.callback([&verb, &action, program] {
    action = [&verb, program] { return run_other(program, verb.remaining()); };
  });
}

}  // namespace nrs
