// Bytes as a CSV file: every row has as many fields as the header, and what was read can be written
// and read again.
#include <vector>

#include "data/csv.h"
#include "fuzz.h"

namespace nrs {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(std::string_view content) {
  const std::filesystem::path path = fuzz::as_file(content, ".csv");
  data::CsvReader reader(path);
  reader.find("X");
  Rows rows;
  std::vector<std::string> fields;
  while (reader.next(fields)) rows.push_back(fields);
  return rows;
}

}  // namespace

void fuzz::check(std::string_view content) {
  const Rows rows = rows_of(content);
  if (rows.empty()) return;
  std::string written;
  for (std::size_t i = 0; i < rows.front().size(); ++i) written += i == 0 ? "h" : ",h";
  for (const std::vector<std::string>& row : rows) {
    written += '\n';
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) written += ',';
      append_csv_field(written, row[i]);
    }
  }
  // A row of one empty field is an empty line, which is passed over.
  if (rows.front().size() > 1) fuzz::expect(rows_of(written) == rows);
}

}  // namespace nrs
