#pragma once
// Numbers of tasks as people and Slurm write them: "1-4,7".
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nrs::bulk {

// Of numbers in ascending order.
std::string to_ranges(const std::vector<std::size_t>& numbers);
// Within 1 and `most`, ascending, each once. Throws Error (usage).
std::vector<std::size_t> parse_ranges(std::string_view text, std::size_t most);

}  // namespace nrs::bulk
