// The program `nrs-lab`: studies, the whole chain of results, the report, and other people's
// models. `nrs` runs it. Apart, because running a model needs none of it and would have to wait for
// its build.
#include <CLI/CLI.hpp>

#include "verbs/verbs.h"

int main(int argc, char** argv) {
  using namespace nrs;
  return cli::run_guarded([&] {
    CLI::App app("Reproduces and studies results, and draws them.", "nrs");
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
    cli::Action action;
    lab::add_report(app, action);
    lab::add_reproduce(app, action);
    lab::add_tune(app, action);
    lab::add_ablate(app, action);
    lab::add_baseline(app, action);
    return cli::run_command_line(app, {argv + 1, argv + argc}, action);
  });
}
