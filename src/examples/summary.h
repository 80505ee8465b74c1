#pragma once
// What a file of examples contains, found out before anything is learned from it.
#include <cstddef>
#include <cstdint>
#include <string>

#include "examples/alphabet.h"
#include "examples/examples.h"
#include "examples/findings.h"
#include "examples/terms.h"

namespace nrs::examples {

struct Summary {
  std::string name;
  Format format = Format::kChains;
  Kind kind = Kind::kSteps;
  std::string why;           // steps or answers
  bool numbered = false;     // lines begin with their number, which is left out
  std::size_t examples = 0;  // lines that were read
  std::size_t left_out = 0;  // others, of a large file
  std::size_t finals = 0;    // of them: a final formula alone
  std::size_t answers = 0;   // of them: a question with its answer
  std::size_t chains = 0;    // of them: steps
  std::size_t steps = 0;     // in all chains
  TermsOrText terms;
  Alphabet alphabet;
  std::size_t longest = 0;  // characters of the longest formula
  std::uint32_t longest_line = 0;
  std::size_t nesting = 0;  // of brackets, deepest
  Findings found;
  std::size_t held_out = 0;             // examples for testing
  std::size_t held_out_nesting = 0;     // the least of them
  std::size_t held_out_characters = 0;  // the shortest of them
};

struct SummaryOptions {
  std::uint64_t seed = 1;  // of what is held out
  Progress progress{};
};

// Law: the same file and seed give the same summary. Takes seconds for a million lines.
Summary summarise(const ExampleFile& file, const SummaryOptions& options = {});

// For people: a dozen lines, then at most ten suspicious ones, worst first.
std::string to_text(const Summary& summary);
// One JSON object, without the line end.
std::string to_json(const Summary& summary);

// Throws Error (input) if nothing can be learned: all examples are the same, or they contradict
// each other everywhere.
void require_teachable(const Summary& summary);

}  // namespace nrs::examples
