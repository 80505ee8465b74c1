#pragma once
// Derivations as people read them: each formula with its leaves marked and their values below.
#include <optional>
#include <string>

#include "nrs/rewriter.h"

namespace nrs::cli {

struct TraceStyle {
  bool colour = false;
  std::size_t width = 100;  // longer formulas are broken
  // Of a model: below each formula its leaves are listed with what the two modules say of them.
  std::optional<double> threshold = std::nullopt;
};

// The derivation of a formula that was run with keep_rounds, ready to be printed.
std::string draw_trace(std::string_view formula, const Result& result, const TraceStyle& style);

}  // namespace nrs::cli
