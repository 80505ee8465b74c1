#pragma once
// What is said about a wrong option, in our words and not in those of the option parser.
#include <string>
#include <string_view>

namespace nrs {

// "Could not convert: --count = -3" -> "--count: '-3' is none of its values". Others stay as they
// are.
inline std::string usage_message(std::string_view parser) {
  constexpr std::string_view kStart = "Could not convert: ";
  constexpr std::string_view kBetween = " = ";
  const std::size_t between = parser.find(kBetween);
  if (!parser.starts_with(kStart) || between == parser.npos) return std::string(parser);
  const std::string option(parser.substr(kStart.size(), between - kStart.size()));
  const std::string value(parser.substr(between + kBetween.size()));
  return option + ": '" + value + "' is none of its values";
}

}  // namespace nrs
