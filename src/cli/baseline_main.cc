// The program `nrs-baseline`: other people's models on our formulas. `nrs baseline` runs it.
#include <CLI/CLI.hpp>
#include <csignal>

#include "cli/cmd_baseline_llm.h"
#include "cli/options.h"

int main(int argc, char** argv) {
  using namespace nrs;
  std::signal(SIGPIPE, SIG_IGN);  // a connection that breaks is an error, not the end
  return run_guarded([&] {
    CLI::App app("Asks other models the formulas that ours are asked.", "nrs baseline");
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
    Action action;
    add_baseline_llm(app, action);
    return run_command_line(app, {argv + 1, argv + argc}, action);
  });
}
