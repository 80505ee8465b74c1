#include "cli/models.h"

#include <fmt/format.h>

#include "cli/console.h"
#include "cli/given.h"
#include "nrs/error.h"

namespace nrs {

std::filesystem::path model_file(const std::string& argument) {
  try {
    return find_model(as_given(argument));
  } catch (const Error& error) {
    if (!model_names().empty()) throw;
    throw error.with_hint(error.hint() + ", or rewrite exactly with simplify --engine oracle");
  }
}

RunningModel load_to_run(const std::string& argument, const RewriterOptions& options) {
  const std::filesystem::path path = model_file(argument);
  RunningModel running = RunningModel::load(path, options);
  if (running.model().certificate && !has_own_certificate(running.model())) {
    complain(
        fmt::format("{}: the certificate in it is of another model, so nothing is verified of "
                    "this one (nrs verify --store makes a new one)",
                    path.string()));
  }
  return running;
}

}  // namespace nrs
