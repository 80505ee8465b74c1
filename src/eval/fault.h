#pragma once
// Why an answer is wrong: the first step of a derivation that the oracle would not have taken, and
// whose it is.
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "nrs/domain.h"
#include "nrs/rewriter.h"

namespace nrs::eval {

enum class Fault {
  kNotInFormula,  // the Selector wrote a leaf that is not in the formula
  kNotALeaf,      // the Selector took a part of the formula that is no leaf
  kMissedLeaf,    // the Selector left out a leaf, and nothing else could be done
  kWrongValue,    // the Solver gave a leaf another value, used or not
  kUnsure,        // the Solver gave a leaf its value, but not surely enough
  kLimit,         // each step was right; the engine gave up
  kData,          // each step was right to the end: it is the value in the data that is wrong
};
constexpr auto enum_names(Fault) {
  return std::to_array<EnumName<Fault>>({
      {Fault::kNotInFormula, "not_in_formula"},
      {Fault::kNotALeaf, "not_a_leaf"},
      {Fault::kMissedLeaf, "missed_leaf"},
      {Fault::kWrongValue, "wrong_value"},
      {Fault::kUnsure, "unsure"},
      {Fault::kLimit, "limit"},
      {Fault::kData, "value_in_data"},
  });
}
// "selector", "solver", "engine" or "data".
std::string_view module_of(Fault fault);

struct FirstFault {
  Fault fault = Fault::kLimit;
  std::size_t round = 0;  // rounds before it, all of them right
  std::string formula;    // as it stood in this round
  Span span;              // where in it
  std::string written;    // if it is not in the formula: what the Selector wrote instead
  std::string value;      // what the Solver said; omega is empty
  bool omega = false;
  std::string expected;  // the value of the leaf; empty: omega, or it is no leaf
  double log_prob = 0;   // of what the Solver said

  std::string leaf() const { return std::string(span.of(formula)); }
};

// Looking at every round costs the length of the formula times the number of rounds.
bool can_be_analysed(std::string_view formula, const Result& result);

// Looks through a derivation that did not end in the value of the formula, and is not too long.
// `result` was run with keep_rounds and the threshold `min_log_prob`. Where swapping in an oracle
// has shown that one module is to `blame` (else empty), what the other did is passed over if
// possible.
FirstFault find_fault(const Domain& domain, std::string_view formula, const Result& result,
                      double min_log_prob, std::string_view blame);

}  // namespace nrs::eval
