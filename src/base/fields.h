#pragma once
// Structs that list their fields once, in a member visit(visitor); all that reads, writes or
// explains such a struct is a visitor. A visitor is called as
//   v(name, field, help)  or  v(name, field, help, Range{least, most})
// where a field is a bool, int, double, enum with enum_names, std::string, std::vector<int>,
// std::vector<std::string>, or a struct that has visit() itself. A range holds for every element;
// it also bounds what a hostile file of a few bytes can make the program compute or allocate.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nrs {

template <class T>
struct Range {
  T least;
  T most;
};
template <class T>
Range(T, T) -> Range<T>;

// A word by which files and options name a value of an enum. Beside such an enum stands a function
//   constexpr auto enum_names(E) { return std::to_array<EnumName<E>>({{E::kValue, "word"}, ...}); }
// or, where the words are in the order of the values,
//   constexpr auto enum_names(E) { return names_in_order<E>("word", ...); }
template <class Enum>
using EnumName = std::pair<Enum, std::string_view>;

template <class Enum, class... Words>
constexpr auto names_in_order(Words... words) {
  int value = 0;
  return std::array{EnumName<Enum>{static_cast<Enum>(value++), words}...};
}

template <class Enum>
constexpr std::string_view enum_name(Enum value) {
  for (const auto& [known, name] : enum_names(Enum{})) {
    if (known == value) return name;
  }
  return {};
}

template <class Enum>
constexpr std::optional<Enum> enum_value(std::string_view name) {
  for (const auto& [value, known] : enum_names(Enum{})) {
    if (known == name) return value;
  }
  return std::nullopt;
}

// All of them, for messages and options.
template <class Enum>
std::vector<std::string> enum_words() {
  std::vector<std::string> words;
  for (const auto& entry : enum_names(Enum{})) words.emplace_back(entry.second);
  return words;
}

}  // namespace nrs
