#pragma once
// Reads structs with visit() (base/fields.h) from any notation that has tables, lists and plain
// values.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/fields.h"

namespace nrs::model {

// A Place is a value in a document, and knows how to name it:
//   as<T>()                 a bool, int64_t, double or std::string, if it is one; whole numbers are
//                           doubles too
//   elements()              the places of a list, nothing if it is none
//   member(name)            the place of that name in a table, nothing if it is not there
//   check_members(names)    refuses a table with others, or without one that must be there
//   refuse(reason)          throws Error
//   refuse_size()           the same of a number that is too large
//   show(number), kText     as messages have them
template <class Place>
class FieldReader {
 public:
  template <class Struct>
  static void read(const Place& table, Struct& fields) {
    FieldReader reader(table);
    fields.visit(reader);
    table.check_members(reader.names_);
  }

  template <class Field, class... Ranges>
  void operator()(const char* name, Field& field, const char* /*help*/, const Ranges&... range) {
    names_.emplace_back(name);
    const std::optional<Place> place = table_.member(name);
    if (!place) return;
    set(*place, field);
    (check_range(*place, field, range), ...);
  }

 private:
  explicit FieldReader(const Place& table) : table_(table) {}

  template <class Field>
  static void set(const Place& place, Field& field) {
    if constexpr (std::is_enum_v<Field>) {
      const auto word = place.template as<std::string>();
      const auto value = word ? enum_value<Field>(*word) : std::nullopt;
      field = need(place, value,
                   fmt::format("one of \"{}\"", fmt::join(enum_words<Field>(), "\", \"")));
    } else if constexpr (requires(FieldReader & reader) { field.visit(reader); }) {
      read(place, field);
    } else if constexpr (requires { field.emplace_back(); }) {
      const auto elements = need(place, place.elements(), "a list");
      field.clear();
      for (const Place& element : elements) set(element, field.emplace_back());
    } else if constexpr (std::is_same_v<Field, int>) {
      field = static_cast<int>(need(place, place.template as<std::int64_t>(), "a whole number"));
      if (field != *place.template as<double>()) place.refuse_size();
    } else {
      constexpr const char* kWanted = std::is_same_v<Field, bool>     ? "true or false"
                                      : std::is_same_v<Field, double> ? "a number"
                                                                      : Place::kText;
      field = need(place, place.template as<Field>(), kWanted);
    }
  }

  template <class T>
  static T need(const Place& place, std::optional<T> value, const std::string& what) {
    if (!value) place.refuse("must be " + what);
    return std::move(*value);
  }

  template <class Field, class T>
  static void check_range(const Place& place, const Field& field, const Range<T>& range) {
    if constexpr (std::is_arithmetic_v<Field>) {
      if (field >= range.least && field <= range.most) return;
      place.refuse(fmt::format("is {}, but must be from {} to {}", Place::show(field),
                               Place::show(range.least), Place::show(range.most)));
    } else {
      for (const auto& element : field) check_range(place, element, range);
    }
  }

  const Place& table_;
  std::vector<std::string> names_;
};

}  // namespace nrs::model
