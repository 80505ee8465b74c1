#include "data/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "nrs/error.h"

namespace nrs::data {

CsvReader::CsvReader(const std::filesystem::path& path) : path_(path), lines_(path, kMaxLine) {
  if (!lines_.next(line_) || line_.empty()) {
    throw Error(ErrorKind::kInput, path.string() + ":1: the header line is missing");
  }
  split(line_, header_);
}

std::optional<std::size_t> CsvReader::find(std::string_view column) const {
  const auto found = std::find(header_.begin(), header_.end(), column);
  if (found == header_.end()) return {};
  return static_cast<std::size_t>(found - header_.begin());
}

std::size_t CsvReader::require(std::initializer_list<std::string_view> columns) const {
  for (const std::string_view column : columns) {
    if (const std::optional<std::size_t> index = find(column)) return *index;
  }
  std::vector<std::string> shown;
  for (const std::string& name : header_) shown.push_back(excerpt(name));
  shown.resize(std::min<std::size_t>(shown.size(), 8));
  throw Error(ErrorKind::kInput,
              fmt::format("{}:1: no column '{}'", path_.string(), fmt::join(columns, "' or '")),
              fmt::format("the header has: {}", fmt::join(shown, ", ")));
}

std::string CsvReader::place() const {
  return fmt::format("{}:{}", path_.string(), lines_.number());
}

bool CsvReader::next(std::vector<std::string>& fields) {
  do {
    if (!lines_.next(line_)) return false;
  } while (line_.empty());
  split(line_, fields);
  if (fields.size() != header_.size()) {
    throw Error(ErrorKind::kInput, fmt::format("{}: {} fields, but the header has {}", place(),
                                               fields.size(), header_.size()));
  }
  return true;
}

void CsvReader::split(std::string_view line, std::vector<std::string>& fields) const {
  try {
    if (lines_.too_long()) throw Error(ErrorKind::kInput, "the line is too long");
    split_csv_line(line, ',', fields);
  } catch (const Error& error) {
    throw error.in(place());
  }
}

}  // namespace nrs::data
