#pragma once
// What is known of a text when it has been read once: enough to notice that it has changed.
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace nrs::bulk {

struct Content {
  std::uint64_t lines = 0;  // ends of lines
  std::uint64_t bytes = 0;
  std::uint32_t crc = 0;

  void add(std::string_view text);
  bool operator==(const Content&) const = default;
};

// Throws Error (I/O).
Content read_content(const std::filesystem::path& file);

nlohmann::ordered_json to_json(const Content& content);
// Throws a JSON exception if a field is missing or of another type.
Content content_of(const nlohmann::ordered_json& json);

}  // namespace nrs::bulk
