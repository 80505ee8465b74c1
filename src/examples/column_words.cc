#include "examples/column_words.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace nrs::examples {
namespace {

constexpr std::array<std::pair<std::string_view, Role>, 28> kWords{{
    {"formula", Role::kFirst},      {"question", Role::kFirst},     {"x", Role::kFirst},
    {"source", Role::kFirst},       {"input", Role::kFirst},        {"term", Role::kFirst},
    {"before", Role::kFirst},       {"problem", Role::kFirst},      {"expression", Role::kFirst},
    {"from", Role::kFirst},         {"prompt", Role::kFirst},       {"next", Role::kNext},
    {"after", Role::kNext},         {"answer", Role::kAnswer},      {"value", Role::kAnswer},
    {"result", Role::kAnswer},      {"solution", Role::kAnswer},    {"label", Role::kAnswer},
    {"normal form", Role::kAnswer}, {"normal_form", Role::kAnswer}, {"simplified", Role::kAnswer},
    {"reply", Role::kAnswer},       {"completion", Role::kAnswer},  {"y", Role::kSecond},
    {"target", Role::kSecond},      {"output", Role::kSecond},      {"to", Role::kSecond},
    {"second", Role::kSecond},
}};

}  // namespace

std::optional<Role> role_of(std::string_view word) {
  if (word == "x" || word == "y") return std::nullopt;  // likelier variables than headers
  std::string lower(word);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  const auto found = std::find_if(kWords.begin(), kWords.end(),
                                  [&](const auto& entry) { return entry.first == lower; });
  if (found == kWords.end()) return std::nullopt;
  return found->second;
}

std::optional<Kind> kind_of(Role second) {
  if (second == Role::kNext) return Kind::kSteps;
  if (second == Role::kAnswer) return Kind::kAnswer;
  return std::nullopt;
}

}  // namespace nrs::examples
