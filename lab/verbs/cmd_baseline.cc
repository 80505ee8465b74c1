// nrs baseline llm: other people's models on the formulas that ours are asked. It becomes a program
// in Python, which reads the options and prints the help.
#include <CLI/CLI.hpp>

#include "verbs/python_tool.h"
#include "verbs/verbs.h"

namespace nrs::lab {

void add_baseline(CLI::App& app, cli::Action& action) {
  CLI::App* verb = cli::add_verb(app, "baseline");
  verb->require_subcommand(1);
  CLI::App* llm = verb->add_subcommand("llm", "ask a language model");
  llm->prefix_command();
  llm->set_help_flag();
  cli::on_call(*llm, action, [llm]() -> int {
    Words options = llm->remaining();
    for (std::string& option : options) option = cli::as_given(option);
    become_tool("language_models/ask.py", options);
  });
}

}  // namespace nrs::lab
