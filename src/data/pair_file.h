#pragma once
// Questions with their answers: all that a Solver needs to be trained alone.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nrs::data {

struct TaughtPair {
  std::string text;
  std::optional<std::string> value;  // nothing: the text is final, nothing is left to compute
  std::uint32_t times = 1;           // how often the pair was met

  bool operator==(const TaughtPair&) const = default;
};

// One JSON object a line: {"text": "15+5", "value": "20"}, with "times": 3 if it was met that
// often, and "value": null for a final text. Law: reading what was written gives the same pairs.
// Both throw Error; reading with file and line, also if a text comes again.
void write_pair_file(const std::filesystem::path& path, std::span<const TaughtPair> pairs);
std::vector<TaughtPair> read_pair_file(const std::filesystem::path& path);

}  // namespace nrs::data
