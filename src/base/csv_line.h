#pragma once
// One line of comma-separated values.
#include <string>
#include <string_view>
#include <vector>

namespace nrs {

// The fields of a line. A field may be quoted ("a,b"; a quote inside is doubled), but must end on
// the line. Throws Error (input) without a place.
void split_csv_line(std::string_view line, char delimiter, std::vector<std::string>& fields);

// Appends a field, quoted if it must be.
void append_csv_field(std::string& line, std::string_view field, char delimiter = ',');

}  // namespace nrs
