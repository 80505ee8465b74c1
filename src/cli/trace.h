#pragma once
// Derivations as people read them: each formula with its leaves marked and their values below.
#include <string>

#include "nrs/engine.h"

namespace nrs {

struct TraceStyle {
  bool colour = false;
  std::size_t width = 100;  // longer formulas are broken
};

// The derivation of a formula that was run with keep_rounds, ready to be printed.
std::string draw_trace(std::string_view formula, const Result& result, const TraceStyle& style);

}  // namespace nrs
