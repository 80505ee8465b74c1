// nrs train: reads the options and hands over to nrs-learn, the program beside this one that knows
// libtorch. Help and wrong options are answered here: the trainer may not be built yet.
#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

#include "cli/hand_over.h"
#include "cli/options.h"
#include "recipe/train_options.h"

namespace nrs::cli {

void add_train(CLI::App& app, Action& action) {
  auto options = std::make_shared<recipe::TrainOptions>();
  CLI::App* verb = app.add_subcommand("train", "train the model that a recipe describes");
  recipe::declare_train(*verb, *options);
  verb->callback([verb, options, &action] {
    action = [verb, options] {
      std::vector<std::string> command = given_words(*verb);
      command.insert(command.begin(), trainer().name);
      return run_other(trainer(), std::move(command));
    };
  });
}

}  // namespace nrs::cli
