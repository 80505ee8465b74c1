// nrs train: hands over to nrs-learn, the program beside this one that knows libtorch.
#include <CLI/CLI.hpp>

#include "cli/hand_over.h"
#include "cli/options.h"

namespace nrs {

void add_train(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("train", "train the model that a recipe describes");
  hand_over(*verb, action, trainer(), Verbs::kNone);
}

}  // namespace nrs
