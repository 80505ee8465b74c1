#pragma once
// From the scores of known values to the score below which an unknown one is not trusted.
#include <vector>

#include "learn/recipe.h"

namespace nrs {

// `log_probs` are those of right values on training leaves, in any order; without any, or if the
// recipe does not calibrate, the fixed threshold is returned. Law: never above config.strictest.
double calibrate_threshold(std::vector<double> log_probs, const ThresholdConfig& config);

}  // namespace nrs
