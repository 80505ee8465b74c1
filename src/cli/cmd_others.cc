// Verbs of the programs beside this one, which it becomes.
#include <CLI/CLI.hpp>

#include "cli/options.h"
#include "cli/other_program.h"
#include "cli/verbs.h"
#include "recipe/train_options.h"

namespace nrs::cli {
namespace {

// The other program has the same verb: it reads the options, and prints the help. They are written
// down once, there.
void hand_over(CLI::App& app, Action& action, const VerbName& other) {
  CLI::App* verb = app.add_subcommand(other.name, other.purpose);
  verb->prefix_command();
  verb->set_help_flag();
  on_call(*verb, action, [verb, program = std::string(other.program)] {
    // The command that was typed; results record it as such.
    std::vector<std::string> command = verb->remaining();
    command.insert(command.begin(), {"nrs", verb->get_name()});
    return run_other({program, "run nrs " + verb->get_name(), "build its target " + program},
                     std::move(command));
  });
}

}  // namespace

// The trainer may not be built yet, so that help and wrong options are answered here.
void add_train(CLI::App& app, Action& action) {
  auto options = std::make_shared<recipe::TrainOptions>();
  CLI::App* verb = add_verb(app, "train");
  verb->option_defaults()->always_capture_default(false);  // the trainer knows some of them
  recipe::declare_train(*verb, *options);
  on_call(*verb, action, [verb, options] {
    std::vector<std::string> command = given_words(*verb);
    command.insert(command.begin(), trainer().name);
    return run_other(trainer(), std::move(command));
  });
}

void add_others(CLI::App& app, Action& action) {
  for (const VerbName& verb : kVerbs) {
    if (verb.program != "nrs") hand_over(app, action, verb);
  }
}

}  // namespace nrs::cli
