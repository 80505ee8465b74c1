// nrs train: reads the options and hands over to nrs-learn, the program beside this one that knows
// libtorch. Help and wrong options are answered here: the trainer may not be built yet.
#include <CLI/CLI.hpp>

#include "cli/given.h"
#include "cli/hand_over.h"
#include "cli/options.h"
#include "recipe/train_options.h"

namespace nrs::cli {
namespace {

// What was given, in words that the trainer reads alike.
std::vector<std::string> command_of(const CLI::App& verb) {
  std::vector<std::string> words{trainer().name};
  for (const CLI::Option* option : verb.get_options()) {
    if (option->count() == 0) continue;
    const bool flag = option->get_items_expected_max() == 0;
    const std::string name = option->get_lnames().empty() ? "" : "--" + option->get_lnames()[0];
    for (const std::string& value : option->results()) {
      words.push_back(flag ? name : name + (name.empty() ? "" : "=") + as_given(value));
    }
  }
  return words;
}

}  // namespace

void add_train(CLI::App& app, Action& action) {
  auto options = std::make_shared<recipe::TrainOptions>();
  CLI::App* verb = app.add_subcommand("train", "train the model that a recipe describes");
  recipe::declare_train(*verb, *options);
  verb->callback([verb, options, &action] {
    action = [verb, options] { return run_other(trainer(), command_of(*verb)); };
  });
}

}  // namespace nrs::cli
