#include "bulk/content.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "bulk/input.h"
#include "model/checksum.h"
#include "nrs/error.h"

namespace nrs::bulk {

void Content::add(std::string_view text) {
  lines += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  bytes += text.size();
  crc = model::crc32(text, crc);
}

Content read_content(const std::filesystem::path& file) {
  Content content;
  read_plain(file, [&](std::string_view chunk) { content.add(chunk); });
  return content;
}

nlohmann::ordered_json to_json(const Content& content) {
  return {{"lines", content.lines},
          {"bytes", content.bytes},
          {"crc32", fmt::format("{:08x}", content.crc)}};
}

Content content_of(const nlohmann::ordered_json& json) {
  Content content{.lines = json.at("lines"), .bytes = json.at("bytes")};
  const std::string crc = json.at("crc32");
  const auto [end, code] = std::from_chars(crc.data(), crc.data() + crc.size(), content.crc, 16);
  if (code != std::errc{} || end != crc.data() + crc.size()) {
    throw Error(ErrorKind::kInput, fmt::format("'{}' is not a checksum", crc));
  }
  return content;
}

}  // namespace nrs::bulk
