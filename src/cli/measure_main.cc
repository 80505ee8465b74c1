// The program `nrs-measure`: makes formulas, and measures models on them. `nrs` runs it. Apart, for
// whoever wants a formula simplified should not wait until it is built.
#include <CLI/CLI.hpp>

#include "cli/options.h"

int main(int argc, char** argv) {
  using namespace nrs::cli;
  return run_guarded([&] {
    CLI::App app("Makes formulas, and measures models on them.", "nrs");
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
    Action action;
    add_generate(app, action);
    add_dataset(app, action);
    add_eval(app, action);
    add_verify(app, action);
    add_bench(app, action);
    add_confidence(app, action);
    add_compile(app, action);
    return run_command_line(app, {argv + 1, argv + argc}, action);
  });
}
