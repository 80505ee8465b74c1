#include "cli/hand_over.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "cli/given.h"
#include "nrs/error.h"

namespace nrs::cli {

namespace fs = std::filesystem;

int run_other(const OtherProgram& other, std::vector<std::string> command) {
  const fs::path program = find_program(other);
  std::vector<char*> words;
  for (std::string& word : command) {
    word = as_given(word);
    words.push_back(word.data());
  }
  words.push_back(nullptr);
  ::execv(program.c_str(), words.data());
  throw Error(ErrorKind::kIo, program.string() + ": cannot run: " + std::strerror(errno));
}

void hand_over(CLI::App& verb, Action& action, const OtherProgram& program) {
  verb.prefix_command();
  verb.set_help_flag();
  verb.callback([&verb, &action, program] {
    action = [&verb, program] {
      // The command that was typed; results record it as such.
      std::vector<std::string> command{"nrs", verb.get_name()};
      const std::vector<std::string> given = verb.remaining();
      command.insert(command.end(), given.begin(), given.end());
      return run_other(program, std::move(command));
    };
  });
}

}  // namespace nrs::cli
