#include "cli/engine_choice.h"

#include "model/provenance.h"
#include "nrs/error.h"

namespace nrs {

void EngineChoice::check(const RunningModel& model) const {
  try {
    if (engine == "fastnrs") model.selector();
    if (engine == "ndr") model.router();
    const bool sampled = samples || window_threshold;
    if (engine == "nrs" || sampled) model.leaf_writer();
  } catch (const Error& error) {
    throw error.with_hint("run it with --engine " + engine_name(model.model()));
  }
}

}  // namespace nrs
