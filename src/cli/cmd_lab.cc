// nrs report, reproduce, tune, ablate and baseline: hands over to nrs-lab, the program beside this
// one.
#include <CLI/CLI.hpp>

#include "cli/hand_over.h"
#include "cli/lab_verbs.h"
#include "cli/options.h"

namespace nrs {

void add_lab(CLI::App& app, Action& action) {
  for (const LabVerb& lab : kLabVerbs) {
    CLI::App* verb = app.add_subcommand(lab.name, lab.purpose);
    hand_over(*verb, action,
              {"nrs-lab", std::string("run nrs ") + lab.name, "build its target nrs-lab"},
              Verbs::kSame);
  }
}

}  // namespace nrs
