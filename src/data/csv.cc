#include "data/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "nrs/error.h"
#include "nrs/formula.h"

namespace nrs::data {
namespace {

constexpr std::size_t kMaxLine = 4 * kMaxFormulaLength;
constexpr std::size_t kMaxColumns = 1000;

}  // namespace

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
  const auto fail = [&](const char* message) {
    throw Error(ErrorKind::kInput, fmt::format("{}: {}", place(), message));
  };
  if (lines_.too_long()) fail("the line is too long");
  fields.clear();
  std::size_t i = 0;
  while (true) {
    std::string& field = fields.emplace_back();
    if (fields.size() > kMaxColumns) fail("there are more than 1000 fields");
    if (i < line.size() && line[i] == '"') {
      for (++i;; ++i) {
        if (i >= line.size()) fail("a quoted field does not end on its line");
        if (line[i] == '"' && line.substr(i + 1).starts_with('"'))
          ++i;
        else if (line[i] == '"')
          break;
        field += line[i];
      }
      ++i;
      if (i < line.size() && line[i] != ',') fail("text follows a closing quote");
    } else {
      const std::size_t end = std::min(line.find(',', i), line.size());
      field = line.substr(i, end - i);
      if (field.find('"') != std::string::npos) fail("a quote inside a field that is not quoted");
      i = end;
    }
    if (i >= line.size()) return;
    ++i;  // the comma; a line that ends with one has an empty last field
  }
}

void append_csv_field(std::string& line, std::string_view field) {
  if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
    line += field;
    return;
  }
  line += '"';
  for (const char c : field) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

}  // namespace nrs::data
