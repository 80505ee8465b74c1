#pragma once
// The verbs of the program nrs-lab, which `nrs` hands over to it.
#include <array>

namespace nrs {

struct LabVerb {
  const char* name;
  const char* purpose;
};

inline constexpr LabVerb kReportVerb{"report",
                                     "draw the paper's tables and figures from result files"};
inline constexpr LabVerb kReproduceVerb{
    "reproduce", "make data sets, models, results and the report again, as far as not done"};
inline constexpr LabVerb kTuneVerb{"tune", "search for better values of a recipe's fields"};
inline constexpr LabVerb kAblateVerb{
    "ablate", "train the variants of a study, for the figures of the report"};
inline constexpr LabVerb kBaselineVerb{"baseline", "ask a language model the same formulas"};

inline constexpr std::array kLabVerbs{kReportVerb, kReproduceVerb, kTuneVerb, kAblateVerb,
                                      kBaselineVerb};

}  // namespace nrs
