#pragma once
// The part of a target behind the question mark.
#include <fmt/format.h>

#include <charconv>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "serve/http.h"

namespace nrs::serve {

// "a=1&b=x%20y" as names and values. Throws Refusal (400) for a name that is there twice and for a
// wrong escape.
using Query = std::map<std::string, std::string>;
Query read_query(std::string_view query);

// Throws Refusal for a parameter that is not among these.
void check_parameters(const Query& query, std::span<const std::string> known);
// Empty if it is not there.
std::string value_in(const Query& query, const std::string& name);
// A number within limits. Throws Refusal.
template <class Number>
Number number_in(const Query& query, const std::string& name, Number usual,
                 std::pair<Number, Number> range) {
  const std::string text = value_in(query, name);
  if (text.empty()) return usual;
  Number number{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool read = code == std::errc{} && end == text.data() + text.size();
  if (!read || !(number >= range.first && number <= range.second)) {
    throw Refusal(
        400, fmt::format("{} must be a number from {} to {}", name, range.first, range.second));
  }
  return number;
}

}  // namespace nrs::serve
