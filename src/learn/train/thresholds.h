#pragma once
// From the scores of known values to the score below which an unknown one is not trusted.
#include <cstddef>
#include <vector>

#include "recipe/recipe.h"

namespace nrs::learn {

// How sure a Solver was of its values, in any order.
struct RightAnswers {
  std::vector<double> seen;     // of leaves that it was trained on
  std::vector<double> unseen;   // of leaves that were kept from it
  bool complete = false;        // it was trained on all leaves that there are
  std::vector<double> wrong{};  // of wrong values for leaves that were kept from it
};

// config.margin times the score that the part config.quantile of the right answers does not reach,
// or a higher one where of the values for kept leaves at or above it more than config.most_wrong
// would be wrong. Without any answers, or if the recipe does not calibrate, the fixed threshold is
// returned. Law: never above config.strictest, unless too much would be wrong.
double calibrate_threshold(RightAnswers answers, const recipe::ThresholdConfig& config);

// How sure a Selector is of the right leaf of a formula.
struct LengthConfidence {
  std::size_t tokens = 0;  // of the formula
  double log_prob = 0;
};
// The length from which on formulas are better read in windows: that of the shortest formulas whose
// mean confidence is below config.window_confidence; 0 if there are none such.
int calibrate_windows(std::vector<LengthConfidence> formulas,
                      const recipe::ThresholdConfig& config);

}  // namespace nrs::learn
