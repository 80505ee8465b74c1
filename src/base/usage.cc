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

// The two parts of a text around `middle`.
struct Halves {
  std::string left;
  std::string right;
};
std::optional<Halves> cut(std::string_view text, std::string_view middle) {
  const std::size_t at = text.find(middle);
  if (at == text.npos) return std::nullopt;
  return Halves{std::string(text.substr(0, at)), std::string(text.substr(at + middle.size()))};
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
  constexpr std::string_view kNoConversion = "Could not convert: ";
  if (parser.starts_with(kNoConversion)) {
    const auto parts = cut(parser.substr(kNoConversion.size()), " = ");
    if (parts) return wrong_type(parts->left, parts->right, type_of(parts->left));
  }
  if (const auto parts = cut(parser, ": Value ")) {
    const auto value = cut(parts->right, " not in range ");
    const auto bounds = value ? cut(value->right, " to ") : std::nullopt;
    if (bounds) {
      return usage(fmt::format("{}: '{}' is not a number from {} to {}", parts->left,
                               excerpt(value->left), short_number(bounds->left),
                               short_number(bounds->right)));
    }
  }
  if (const auto parts = cut(parser, ": ")) {
    const auto value = cut(parts->right, " not in {");
    if (value && value->right.ends_with('}')) {
      return none_of(
          parts->left, value->left,
          words_of(std::string_view(value->right).substr(0, value->right.size() - 1), ','));
    }
    if (parts->right.find(" required ") != std::string::npos &&
        parts->right.ends_with(" missing")) {
      return usage(fmt::format("{} needs a value", parts->left));
    }
  }
  if (const auto parts = cut(parser, " excludes ")) {
    return usage(fmt::format("{} and {} cannot be given together", parts->left, parts->right));
  }
  if (parser.ends_with(" is required")) {
    return usage(fmt::format("{} is missing", cut(parser, " is required")->left));
  }
  return usage(std::string(parser));
}

}  // namespace nrs
