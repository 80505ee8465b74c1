#include "base/usage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/text.h"

namespace nrs {
namespace {

constexpr const char* kSeeHelp = "see --help";

// What stands in the place of each "{}" of the pattern, if the whole text is like it. Each ends
// where what follows it in the pattern begins for the first time.
std::optional<std::vector<std::string>> match(std::string_view text, std::string_view pattern) {
  constexpr std::string_view kHole = "{}";
  std::vector<std::string> found;
  while (true) {
    const std::size_t hole = std::min(pattern.find(kHole), pattern.size());
    if (!text.starts_with(pattern.substr(0, hole))) return std::nullopt;
    text.remove_prefix(hole);
    if (hole == pattern.size()) break;
    pattern.remove_prefix(hole + kHole.size());
    const std::string_view behind = pattern.substr(0, pattern.find(kHole));
    const std::size_t end = behind.empty() ? text.size() : text.find(behind);
    if (end == text.npos) return std::nullopt;
    found.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  if (!text.empty()) return std::nullopt;
  return found;
}

std::vector<std::string> words_of(std::string_view text, char between) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(between), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

Error usage(const std::string& message, const std::string& hint = kSeeHelp) {
  return {ErrorKind::kUsage, message, hint};
}

Error none_of(const std::string& option, const std::string& value,
              const std::vector<std::string>& words) {
  const std::string close = nearest(value, words);
  return usage(
      fmt::format("{}: '{}' is not one of {}", option, excerpt(value), fmt::join(words, ", ")),
      close.empty() ? kSeeHelp : fmt::format("did you mean {}?", close));
}

// The parser writes bounds of fractions with six decimals.
std::string short_number(std::string text) {
  if (text.find('.') == text.npos) return text;
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

// A value that is of another type than the option's.
Error wrong_type(const std::string& option, const std::string& value, const std::string& type) {
  const std::string words = type.substr(0, type.find(':'));
  if (words.find('|') != words.npos) return none_of(option, value, words_of(words, '|'));
  const bool whole = words.find("INT") != words.npos;
  return usage(fmt::format("{}: '{}' is not a {}", option, excerpt(value),
                           whole ? "valid whole number" : "number"));
}

}  // namespace

Error usage_error(std::string_view parser, const TypeOf& type_of) {
  if (const auto parts = match(parser, "Could not convert: {} = {}")) {
    return wrong_type(parts->at(0), parts->at(1), type_of(parts->at(0)));
  }
  if (const auto parts = match(parser, "{}: Value {} not in range {} to {}")) {
    return usage(fmt::format("{}: '{}' is not a number from {} to {}", parts->at(0),
                             excerpt(parts->at(1)), short_number(parts->at(2)),
                             short_number(parts->at(3))));
  }
  if (const auto parts = match(parser, "{}: {} not in {{}}")) {
    return none_of(parts->at(0), parts->at(1), words_of(parts->at(2), ','));
  }
  if (const auto parts = match(parser, "{}: {} required {} missing")) {
    return usage(fmt::format("{} needs a value", parts->at(0)));
  }
  if (const auto parts = match(parser, "{} excludes {}")) {
    return usage(fmt::format("{} and {} cannot be given together", parts->at(0), parts->at(1)));
  }
  if (const auto parts = match(parser, "{} is required")) {
    return usage(fmt::format("{} is missing", parts->at(0)));
  }
  return usage(std::string(parser));
}

}  // namespace nrs
