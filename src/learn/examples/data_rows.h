#pragma once
// Reads the CSV files of a data set, row by row, with the group of difficulty of each.
#include <filesystem>
#include <functional>
#include <string_view>

namespace nrs {

// Rows of one difficulty have the same group; groups are counted from 0 in the order of the file.
using TakeRow = std::function<void(std::string_view formula, std::string_view value, int group)>;

// `value` is the column of that name. Throws Error (input) with file and line; that of an Error
// that `take` throws is added.
void read_rows(const std::filesystem::path& path, std::string_view value, const TakeRow& take);

}  // namespace nrs
