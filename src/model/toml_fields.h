#pragma once
// Visitors that read structs with visit() from TOML and list their fields as TOML values.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/fields.h"

namespace nrs::model {

// One field of a nested struct: "train.solver", "steps", "6000".
struct TomlField {
  std::string table;
  std::string key;
  std::string value;

  std::string path() const { return table.empty() ? key : table + "." + key; }
};

// Any value, as TOML writes it.
struct TomlValue {
  std::string text;
};

std::string toml_text(std::string_view text);
std::string toml_number(double number);

// Throws Error (usage) with the line; `source` names the document in it and in all that follow.
toml::table parse_toml(std::string_view text, const std::string& source);
// "file:3" for a part of a document.
std::string toml_place(const toml::source_region& region);
[[noreturn]] void refuse_toml(const toml::source_region& region, const std::string& message,
                              const std::string& hint = {});
// Throws if the table has a key that is not among the known ones.
void refuse_unknown(const toml::table& table, const std::string& path,
                    const std::vector<std::string>& known);

// The tables [[name]]; none if the document has no such name. Throws if it is anything else.
std::vector<const toml::table*> tables_of(const toml::table& document, const char* name);

// Sets the fields that a table names and leaves the others as they are. Throws Error (usage) with
// file and line for an unknown key, a wrong type and a value out of range.
class TomlReader {
 public:
  TomlReader(const toml::table& table, std::string path) : table_(table), path_(std::move(path)) {}

  template <class Struct>
  static void read(const toml::table& table, const std::string& path, Struct& value) {
    TomlReader reader(table, path);
    value.visit(reader);
    refuse_unknown(table, path, reader.known_);
  }

  template <class Field>
  void operator()(const char* name, Field& field, const char* /*help*/) {
    if (const toml::node* node = find(name)) set(*node, name, field);
  }
  template <class Field, class T>
  void operator()(const char* name, Field& field, const char* help, const Range<T>& range) {
    const toml::node* node = find(name);
    (*this)(name, field, help);
    known_.pop_back();
    if (node != nullptr) check_range(*node, name, field, range);
  }

 private:
  const toml::node* find(const char* name) {
    known_.emplace_back(name);
    return table_.get(name);
  }
  std::string full(const char* name) const {
    return path_.empty() ? std::string(name) : path_ + "." + name;
  }
  [[noreturn]] void wrong_type(const toml::node& node, const char* name,
                               const std::string& wanted) const {
    refuse_toml(node.source(), fmt::format("{} must be {}", full(name), wanted));
  }

  template <class Field>
  void set(const toml::node& node, const char* name, Field& field) {
    if constexpr (std::is_enum_v<Field>) {
      set_enum(node, name, field);
    } else if constexpr (requires { field.visit(*this); }) {
      if (!node.is_table()) wrong_type(node, name, "a table");
      read(*node.as_table(), full(name), field);
    } else {
      set_value(node, name, field);
    }
  }

  template <class Enum>
  void set_enum(const toml::node& node, const char* name, Enum& field) {
    const auto words = enum_words<Enum>();
    const auto text = node.value_exact<std::string>();
    const auto found = text ? enum_value<Enum>(*text) : std::nullopt;
    if (!found) wrong_type(node, name, fmt::format("one of \"{}\"", fmt::join(words, "\", \"")));
    field = *found;
  }

  void set_value(const toml::node& node, const char* name, bool& field);
  void set_value(const toml::node& node, const char* name, int& field);
  void set_value(const toml::node& node, const char* name, double& field);
  void set_value(const toml::node& node, const char* name, std::string& field);
  void set_value(const toml::node& node, const char* name, TomlValue& field);
  template <class Element>
  void set_value(const toml::node& node, const char* name, std::vector<Element>& field) {
    if (!node.is_array()) wrong_type(node, name, "a list");
    field.clear();
    for (const toml::node& element : *node.as_array()) {
      set_value(element, name, field.emplace_back());
    }
  }

  template <class Field, class T>
  void check_range(const toml::node& node, const char* name, const Field& field,
                   const Range<T>& range) const {
    if constexpr (std::is_arithmetic_v<Field>) {
      if (field >= static_cast<Field>(range.least) && field <= static_cast<Field>(range.most))
        return;
      refuse_toml(node.source(), fmt::format("{} is {}, but must be from {} to {}", full(name),
                                             field, range.least, range.most));
    } else {
      for (const auto& element : field) check_range(node, name, element, range);
    }
  }

  const toml::table& table_;
  std::string path_;
  std::vector<std::string> known_;
};

// Lists every field, nested ones after those of their parent.
class TomlLister {
 public:
  explicit TomlLister(std::string table, std::vector<TomlField>& fields)
      : table_(std::move(table)), fields_(fields) {}

  template <class Field, class... Rest>
  void operator()(const char* name, Field& field, const char* /*help*/, const Rest&... /*range*/) {
    if constexpr (requires { field.visit(*this); }) {
      TomlLister inner(table_.empty() ? name : table_ + "." + name, fields_);
      field.visit(inner);
    } else {
      fields_.push_back({table_, name, text(field)});
    }
  }

 private:
  template <class Field>
  static std::string text(const Field& field) {
    if constexpr (std::is_enum_v<Field>) {
      return toml_text(enum_name(field));
    } else if constexpr (std::is_same_v<Field, std::string>) {
      return toml_text(field);
    } else if constexpr (std::is_same_v<Field, double>) {
      return toml_number(field);
    } else if constexpr (std::is_arithmetic_v<Field>) {
      return fmt::format("{}", field);
    } else {
      std::vector<std::string> parts;
      for (const auto& element : field) parts.push_back(text(element));
      return fmt::format("[{}]", fmt::join(parts, ", "));
    }
  }

  std::string table_;
  std::vector<TomlField>& fields_;
};

}  // namespace nrs::model
