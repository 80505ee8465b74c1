#pragma once
// What is suspicious in examples, found by comparing lines with each other.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "examples/alphabet.h"
#include "examples/examples.h"

namespace nrs::examples {

// Worst first.
enum class Fault : std::uint8_t {
  kTwoValues,          // the same formula or place has another value in another line
  kFinalAndRewritten,  // final in one line, rewritten in another
  kUnread,             // the line could not be read
  kNoRewrite,          // a step that changes nothing
  kRareCharacter,      // a character that stands in this line only
  kDuplicate,          // the same as an earlier line
};
inline constexpr std::size_t kFaults = 6;

// "two values", "final and rewritten", ...: for programs.
std::string_view name_of(Fault fault);
// What stands behind their number: "duplicate", "duplicates".
std::string_view words_for(Fault fault, std::size_t count);
// Whether it is a mistake; the others may be intended.
bool is_wrong(Fault fault);

struct Finding {
  Fault fault;
  std::uint32_t line;
  std::uint32_t other_line;  // 0 if there is none
  std::string text;          // what is wrong, without the line

  bool operator==(const Finding&) const = default;
};

struct Findings {
  std::vector<Finding> list;  // worst first, then by line; of each fault at most kMostKept
  std::array<std::size_t, kFaults> counts{};
  std::size_t questions = 0;              // distinct formulas that examples begin with and rewrite
  std::size_t values = 0;                 // distinct final formulas
  std::vector<std::string> few_values{};  // sorted, if there are at most kFewValues

  std::size_t count(Fault fault) const { return counts[static_cast<std::size_t>(fault)]; }
  // Lines that are wrong, not only unusual.
  std::size_t wrong() const;
};

inline constexpr std::size_t kMostKept = 1000;
inline constexpr std::size_t kFewValues = 30;

// If lines disagree, those of the smaller number are named. Memory: 16 bytes for each formula.
Findings find_faults(const ExampleFile& file, const Alphabet& alphabet,
                     const Progress& progress = {});

}  // namespace nrs::examples
