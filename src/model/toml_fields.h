#pragma once
// Structs with visit() (base/fields.h) read from TOML, and their fields listed as TOML values.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "model/json_config.h"

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

// Throws Error (usage) with the line; `source` names the document in it and in all that follow.
toml::table parse_toml(std::string_view text, const std::string& source);
// Throws Error (usage) that begins with "file:3".
[[noreturn]] void refuse_toml(const toml::source_region& region, const std::string& message,
                              const std::string& hint = {});
// Throws if the table has a key that is not among the known ones.
void refuse_unknown(const toml::table& table, const std::string& path,
                    const std::vector<std::string>& known);

// The tables [[name]]; none if the document has no such name. Throws if it is anything else.
std::vector<const toml::table*> tables_of(const toml::table& document, const char* name);

// A value in a document, for a FieldReader. `path` names it in messages: "train.solver.steps".
class TomlPlace {
 public:
  TomlPlace(const toml::node& node, std::string path) : node_(node), path_(std::move(path)) {}

  static constexpr const char* kText = "text in quotes";
  template <class T>
  std::optional<T> as() const {
    return node_.value_exact<T>();
  }
  std::optional<std::vector<TomlPlace>> elements() const;
  std::optional<TomlPlace> member(const char* name) const;
  void check_members(const std::vector<std::string>& names) const;
  [[noreturn]] void refuse(const std::string& reason) const;
  [[noreturn]] void refuse_size() const;
  template <class Number>
  static std::string show(Number number) {
    return fmt::format("{}", number);
  }

 private:
  const toml::node& node_;
  std::string path_;
};

// NaN is none: it would pass every range check that asks whether a value is outside.
template <>
std::optional<double> TomlPlace::as<double>() const;
// Any value is one.
template <>
std::optional<TomlValue> TomlPlace::as<TomlValue>() const;

// Sets the fields that a table names and leaves the others as they are. Throws Error (usage) with
// file and line for an unknown key, a wrong type and a value out of range.
template <class Struct>
void read_fields(const toml::table& table, const std::string& path, Struct& fields) {
  FieldReader<TomlPlace>::read({table, path}, fields);
}

// The fields of an object in their order, those of nested ones in the place of these.
std::vector<TomlField> list_fields(const nlohmann::ordered_json& object,
                                   const std::string& table = "");

}  // namespace nrs::model
