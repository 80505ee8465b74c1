#pragma once
// Turns a Selector into automata, and compares the two.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compile/labelled.h"
#include "compile/texts.h"
#include "nrs/modules.h"
#include "runtime/mark_automata.h"

namespace nrs::compile {

// A character of a formula about which the automata and the Selector do not agree.
struct Disagreement {
  std::string text;
  std::size_t place = 0;
};

// Where a disagreement was found, the Selector is asked in all such contexts from then on, unless
// the two agreed there ten thousand times before: then it stays, and is reported.
struct Comparison {
  std::uint64_t formulas = 0;
  std::uint64_t contexts = 0;   // characters with all that is around them
  std::uint64_t asked = 0;      // of these: where the Selector has to be asked
  std::uint64_t different = 0;  // disagreements
  std::vector<Disagreement> first{};
};

struct SelectorRequest {
  const Selector* selector = nullptr;  // asked from several threads at once
  Texts texts;
  // Only the last leaf is marked, so that a mark depends on all that is to the right of it.
  bool last_leaf = false;
  std::uint64_t sample = 1'000'000;     // characters to learn from
  std::uint64_t contexts = 10'000'000;  // characters to compare on, at least
  int repairs = 12;                     // at most: how often new formulas are learnt from
  int threads = 1;                      // does not change the outcome
  // Hears what is being done; returns false to give up, and compile_selector() then throws
  // Interrupted.
  std::function<bool(const std::string& what)> progress;
};

struct Interrupted {};

struct CompiledSelector {
  runtime::MarkAutomata automata;
  Comparison comparison;  // the last one: on formulas from which no state was learnt
  int repairs = 0;        // earlier comparisons, whose disagreements were learnt
  std::size_t asked = 0;  // cells of the table that were seen with different marks
};

// Throws Error (input) if the automata would become too large.
CompiledSelector compile_selector(const SelectorRequest& request);

}  // namespace nrs::compile
