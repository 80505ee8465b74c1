// Verbs of nrs-bulk, nrs-teach, nrs-measure, nrs-serve and nrs-lab: hands over to these programs,
// which are beside this one.
#include <CLI/CLI.hpp>
#include <span>

#include "cli/hand_over.h"
#include "cli/options.h"
#include "cli/other_verbs.h"

namespace nrs::cli {
namespace {

void add_all(CLI::App& app, Action& action, const std::string& program,
             std::span<const OtherVerb> verbs) {
  for (const OtherVerb& other : verbs) {
    CLI::App* verb = app.add_subcommand(other.name, other.purpose);
    hand_over(*verb, action,
              {program, std::string("run nrs ") + other.name, "build its target " + program});
  }
}

}  // namespace

void add_others(CLI::App& app, Action& action) {
  add_all(app, action, "nrs-bulk", kBulkVerbs);
  add_all(app, action, "nrs-teach", kTeachVerbs);
  add_all(app, action, "nrs-measure", kMeasureVerbs);
  add_all(app, action, "nrs-serve", kServeVerbs);
  add_all(app, action, "nrs-lab", kLabVerbs);
}

}  // namespace nrs::cli
