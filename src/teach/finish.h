#pragma once
// What a draft comes to: patterns, a table, and what they rest on.
#include <span>

#include "teach/shapes.h"
#include "teach/text_system.h"

namespace nrs::teach {

// The system of a settled draft. `steps` are those it was learned from.
TextSystem finish(const Draft& draft, std::span<const TextStep> steps);

}  // namespace nrs::teach
