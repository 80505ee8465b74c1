// nrs train: hands over to nrs-learn, the program beside this one that knows libtorch.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/models.h"
#include "cli/options.h"
#include "nrs/error.h"

namespace nrs {
namespace {

namespace fs = std::filesystem;

int run_trainer(std::vector<std::string> arguments) {
  const fs::path program = program_folder() / "nrs-learn";
  if (!fs::exists(program)) {
    throw Error(ErrorKind::kUsage, "this build cannot train: there is no " + program.string(),
                "build with -D NRS_LEARN=ON, which needs libtorch");
  }
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  ::execv(program.c_str(), words.data());
  throw Error(ErrorKind::kIo, program.string() + ": cannot run: " + std::strerror(errno));
}

}  // namespace

void add_train(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("train", "train the model that a recipe describes");
  // nrs-learn reads the options, and prints its own help: they are written down once, there.
  verb->prefix_command();
  verb->set_help_flag();
  verb->callback([verb, &action] { action = [verb] { return run_trainer(verb->remaining()); }; });
}

}  // namespace nrs
