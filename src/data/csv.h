#pragma once
// Comma-separated values, read strictly and in bounded memory.
//
// Written by hand, because the C library in Debian neither reports the line of an error nor limits
// the length of a field.
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/lines.h"
#include "nrs/formula.h"

namespace nrs::data {

// Longer lines of data are refused.
inline constexpr std::size_t kMaxLine = 4 * kMaxFormulaLength;

// A file with a header line. Fields may be quoted ("a,b"; a quote inside is doubled), but must end
// on the same line, as formulas do.
class CsvReader {
 public:
  // Throws Error: I/O if it cannot be opened, input if there is no header.
  explicit CsvReader(const std::filesystem::path& path);

  // Index of a column, or nothing.
  std::optional<std::size_t> find(std::string_view column) const;
  // Index of the first of these columns that exists. Throws Error (input) if none does.
  std::size_t require(std::initializer_list<std::string_view> columns) const;

  // Next row; false at the end. Throws Error (input) with the line if the row is not well-formed or
  // does not have as many fields as the header. Empty lines are skipped.
  bool next(std::vector<std::string>& fields);
  // "file.csv:3" for the row just read.
  std::string place() const;
  // Its number, from 1.
  std::size_t line() const { return lines_.number(); }

 private:
  void split(std::string_view line, std::vector<std::string>& fields) const;

  std::filesystem::path path_;
  LineReader lines_;
  std::string line_;
  std::vector<std::string> header_;
};

}  // namespace nrs::data
