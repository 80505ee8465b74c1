#pragma once
// A formula is plain text. These are the few types that all other code uses to describe it.
#include <compare>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nrs {

// A half-open range of characters.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;

  std::size_t size() const { return end - begin; }
  std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
  auto operator<=>(const Span&) const = default;
};

// One leaf and the value that replaces it.
struct Step {
  Span leaf;
  std::string value;

  bool operator==(const Step&) const = default;
};

// What gave a leaf its value.
enum class ValueSource { kNetwork, kOracle, kTable, kRule };
// "network", "oracle", "table" or "rule".
std::string_view name_of(ValueSource source);

struct Origin {
  ValueSource source = ValueSource::kNetwork;
  std::string rule{};  // the name of the rule, if it was one and has a name

  bool operator==(const Origin&) const = default;
};

// The maximum length of a formula. Longer ones are refused on input.
inline constexpr std::size_t kMaxFormulaLength = std::size_t{1} << 26;

// Replaces every leaf by its value. The steps must be in order and must not overlap.
std::string combine(std::string_view formula, std::span<const Step> steps);

}  // namespace nrs
