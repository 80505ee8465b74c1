#pragma once
// In which ways the examples may be read, the simplest first.
#include <span>
#include <vector>

#include "teach/corpus.h"

namespace nrs::teach {

std::vector<Hypothesis> hypotheses(std::span<const examples::Example> examples);

}  // namespace nrs::teach
