// The program `nrs-teach`: learns rewriting systems from examples, and reads, checks and converts
// rules. `nrs` runs it. Apart, for whoever wants a formula simplified should not wait until it is
// built.
#include <CLI/CLI.hpp>

#include "cli/options.h"

int main(int argc, char** argv) {
  using namespace nrs::cli;
  return run_guarded([&] {
    CLI::App app("Learns rewriting systems from examples, and checks rules.", "nrs");
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
    Action action;
    add_learn(app, action);
    add_check(app, action);
    add_rules(app, action);
    add_derive(app, action);
    return run_command_line(app, {argv + 1, argv + argc}, action);
  });
}
