#pragma once
// A formula with its leaves marked, as one or more pairs of lines.
#include <string>
#include <string_view>
#include <vector>

#include "cli/trace.h"
#include "nrs/rewriter.h"

namespace nrs::cli {

namespace colours {
inline constexpr std::string_view kLeaf = "\x1b[1;36m";
inline constexpr std::string_view kValue = "\x1b[32m";
inline constexpr std::string_view kUnsure = "\x1b[33m";
inline constexpr std::string_view kFaint = "\x1b[2m";
inline constexpr std::string_view kPlain = "\x1b[0m";
}  // namespace colours

// Whether the value has room on the brace below its leaf, └─20─┘.
bool fits_below(std::string_view leaf, std::string_view value);

// Below a leaf stands its value on a brace, or ???? where it was not rewritten. Omega has no mark.
class MarkedFormula {
 public:
  // `formula` and `round` must outlive this.
  MarkedFormula(std::string_view formula, const Round& round, const TraceStyle& style);

  // The first line begins with the label, the others are set in as far.
  std::string draw(std::string_view label) const;

 private:
  enum class Kind { kUnmarked, kRewritten, kLeft };
  struct Cell {  // one character, and what stands below it
    std::string_view text;
    std::string_view mark = " ";
    Kind kind = Kind::kUnmarked;
  };
  void mark(std::span<Cell> cells, const Attempt& attempt) const;
  template <class Part>
  void append(std::string& out, std::span<const Cell> cells, std::string_view rewritten,
              Part part) const;

  std::vector<Cell> cells_;
  const TraceStyle& style_;
};

}  // namespace nrs::cli
