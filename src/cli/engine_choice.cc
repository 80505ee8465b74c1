#include "cli/engine_choice.h"

namespace nrs {

void EngineChoice::check(const RunningModel& model) const {
  if (engine == "fastnrs") model.selector();
  if (engine == "ndr") model.router();
  const bool sampled = samples || window_threshold;
  if (engine == "nrs" || sampled) model.leaf_writer();
}

}  // namespace nrs
