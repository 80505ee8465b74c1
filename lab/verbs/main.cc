// The program `nrs-lab`: studies, the whole chain of results, the report, and other people's
// models. `nrs` runs it. Apart, because running a model needs none of it and would have to wait for
// its build.
#include <CLI/CLI.hpp>

#include "verbs/verbs.h"

int main(int argc, char** argv) {
  using namespace nrs;
  return run_guarded([&] {
    CLI::App app("Measures models, and draws what was measured.", "nrs");
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
    Action action;
    add_confidence(app, action);
    add_report(app, action);
    add_reproduce(app, action);
    add_tune(app, action);
    add_ablate(app, action);
    add_baseline(app, action);
    return run_command_line(app, {argv + 1, argv + argc}, action);
  });
}
