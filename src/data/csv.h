#pragma once
// Comma-separated values, read strictly and in bounded memory.
//
// Written by hand: the C library at hand reports neither the line of a fault nor bounds a field,
// and we need both.
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/lines.h"

namespace nrs {

// A file with a header line. Fields may be quoted ("a,b"; a quote inside is doubled), but do not go
// over the end of a line: no formula does.
class CsvReader {
 public:
  // Throws Error: I/O if it cannot be opened, input if there is no header.
  explicit CsvReader(const std::filesystem::path& path);

  // Index of a column, or nothing.
  std::optional<std::size_t> find(std::string_view column) const;
  // Index of the first of these columns that is there; throws Error (input) if none is.
  std::size_t require(std::initializer_list<std::string_view> columns) const;

  // Next row; false at the end. Throws Error (input) with the line if the row is not well-formed or
  // has another number of fields than the header. Empty lines are passed over.
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

// Appends a field, quoted if it must be.
void append_csv_field(std::string& line, std::string_view field);

}  // namespace nrs
