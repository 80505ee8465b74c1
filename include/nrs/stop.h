#pragma once
// Why a rewrite ended.
#include <string_view>

namespace nrs {

// Only kFinal means that the last formula is an answer.
enum class Stop {
  kFinal,          // nothing is left to compute: the Solver says so, or the Selector
  kMissing,        // the Selector named a leaf that is not in the formula
  kMalformed,      // a rewrite would leave a bracket without its partner, or nothing at all
  kLowConfidence,  // leaves were found, but no value was confident enough
  kUnknownLeaf,    // leaves were found, but none of a kind that the model was taught
  kNoLeaf,         // the Selector found nothing to rewrite
  kCycle,          // a formula came back
  kStepLimit,      // too many rewrites
  kMemoryLimit,    // the term, or what was needed to rewrite it, became too large
};

// "final", "low_confidence", ...
std::string_view name_of(Stop stop);

}  // namespace nrs
