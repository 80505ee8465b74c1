#include "cli/models.h"

#include <fmt/format.h>

#include "cli/console.h"
#include "nrs/domain.h"
#include "nrs/error.h"

namespace nrs::cli {

std::filesystem::path model_file(const std::string& argument) {
  try {
    return service::find_model(as_given(argument));
  } catch (const Error& error) {
    if (!service::model_names().empty()) throw;
    throw error.with_hint(error.hint() + ", or rewrite exactly with simplify --engine oracle");
  }
}

architectures::RunningModel load_to_run(const std::string& argument,
                                        const architectures::RewriterOptions& options) {
  const std::filesystem::path path = model_file(argument);
  architectures::RunningModel running = architectures::RunningModel::load(path, options);
  if (running.model().certificate && !model::has_own_certificate(running.model())) {
    complain(
        fmt::format("{}: its certificate is for another model, so this model is not verified (nrs "
                    "verify --store makes a new one)",
                    path.string()));
  }
  return running;
}

std::string domain_names() {
  std::string names;
  const auto domains = all_domains();
  for (std::size_t i = 0; i < domains.size(); ++i) {
    names += i == 0 ? "" : i + 1 < domains.size() ? ", " : " or ";
    names += domains[i]->name();
  }
  return names;
}

}  // namespace nrs::cli
