// nrs baseline llm: other people's models on the formulas that ours are asked. It becomes a program
// in Python, which reads the options and prints the help.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "cli/given.h"
#include "nrs/error.h"
#include "service/models.h"
#include "verbs/verbs.h"

namespace nrs::lab {
namespace {

[[noreturn]] int ask(const std::vector<std::string>& options) {
  // -B: the folder of an installed program is not the place for compiled Python.
  std::vector<std::string> command{"python3", "-B",
                                   service::shared_folder("language_models") / "ask.py"};
  for (const std::string& option : options) command.push_back(cli::as_given(option));
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  ::setenv("NRS", (service::program_folder() / "nrs").c_str(), /*overwrite=*/1);
  ::execvp(words[0], words.data());
  throw Error(ErrorKind::kIo, std::string("cannot run python3: ") + std::strerror(errno),
              "nrs baseline needs Python 3.11 or later");
}

}  // namespace

void add_baseline(CLI::App& app, cli::Action& action) {
  CLI::App* verb = app.add_subcommand(cli::kBaselineVerb.name, cli::kBaselineVerb.purpose);
  verb->require_subcommand(1);
  CLI::App* llm = verb->add_subcommand("llm", "ask a language model");
  llm->prefix_command();
  llm->set_help_flag();
  llm->callback([llm, &action] { action = [llm] { return ask(llm->remaining()); }; });
}

}  // namespace nrs::lab
