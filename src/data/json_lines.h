#pragma once
// Files of one JSON object a line.
#include <filesystem>
#include <functional>
#include <string>

namespace nrs::data {

// Calls `take` with each line that is not empty. What it throws gets the file and the line. Throws
// Error (input) for a line that is too long, (I/O) if the file cannot be read.
void for_each_line(const std::filesystem::path& path,
                   const std::function<void(const std::string& line)>& take);

}  // namespace nrs::data
