// nrs baseline: hands over to nrs-baseline, the program beside this one that knows libcurl.
#include <CLI/CLI.hpp>

#include "cli/hand_over.h"
#include "cli/options.h"

namespace nrs {

void add_baseline(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("baseline", "ask a language model the same formulas");
  hand_over(*verb, action, {"nrs-baseline", "ask a language model", "build it with libcurl"});
}

}  // namespace nrs
