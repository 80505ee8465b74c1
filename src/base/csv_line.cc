#include "base/csv_line.h"

#include <algorithm>
#include <cstddef>

#include "nrs/error.h"

namespace nrs {
namespace {

constexpr std::size_t kMaxColumns = 1000;

// Reads the quoted field that begins at `i`; goes on behind it.
void read_quoted(std::string_view line, std::size_t& i, std::string& field) {
  for (++i;; ++i) {
    if (i >= line.size()) {
      throw Error(ErrorKind::kInput, "a quoted field does not end on its line");
    }
    if (line[i] == '"' && line.substr(i + 1).starts_with('"'))
      ++i;
    else if (line[i] == '"')
      break;
    field += line[i];
  }
  ++i;
}

}  // namespace

void split_csv_line(std::string_view line, char delimiter, std::vector<std::string>& fields) {
  fields.clear();
  std::size_t i = 0;
  while (true) {
    std::string& field = fields.emplace_back();
    if (fields.size() > kMaxColumns) {
      throw Error(ErrorKind::kInput, "there are more than 1000 fields");
    }
    if (i < line.size() && line[i] == '"') {
      read_quoted(line, i, field);
      if (i < line.size() && line[i] != delimiter) {
        throw Error(ErrorKind::kInput, "text follows a closing quote");
      }
    } else {
      const std::size_t end = std::min(line.find(delimiter, i), line.size());
      field = line.substr(i, end - i);
      if (field.find('"') != std::string::npos) {
        throw Error(ErrorKind::kInput, "a quote inside a field that is not quoted");
      }
      i = end;
    }
    if (i >= line.size()) return;
    ++i;  // the delimiter; a line that ends with one has an empty last field
  }
}

void append_csv_field(std::string& line, std::string_view field, char delimiter) {
  const char special[] = {delimiter, '"', '\r', '\n'};
  if (field.find_first_of(std::string_view(special, sizeof special)) == std::string_view::npos) {
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

}  // namespace nrs
