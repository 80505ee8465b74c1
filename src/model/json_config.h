#pragma once
// Visitors that write structs with visit() (config.h) to JSON and read them back, strictly: a file
// says every field, because defaults may change while the file must keep its meaning.
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/fields.h"

namespace nrs::model {

// Throws Error (input) unless the text is JSON without a key twice and not nested deeper than we
// ever do. `where` names the text in the message.
nlohmann::json parse_json(std::string_view text, const std::string& where);

namespace json_detail {

[[noreturn]] void refuse(const std::string& path, const std::string& reason);
[[noreturn]] void refuse_enum(const std::string& path, const std::vector<std::string>& words);
// Throws unless `value` is an object with exactly these keys.
void check_keys(const nlohmann::json& value, const std::string& path,
                const std::vector<std::string>& keys);

void get(const nlohmann::json& value, const std::string& path, bool& field);
void get(const nlohmann::json& value, const std::string& path, int& field);
void get(const nlohmann::json& value, const std::string& path, double& field);
void get(const nlohmann::json& value, const std::string& path, std::string& field);

}  // namespace json_detail

class JsonReader {
 public:
  // Reads all fields of `fields` from an object. Throws Error (input) that names the path of what
  // is unknown, missing, of the wrong type or out of range.
  template <class Struct>
  static void read(const nlohmann::json& object, const std::string& path, Struct& fields) {
    KeyLister lister;
    fields.visit(lister);
    json_detail::check_keys(object, path, lister.keys);
    JsonReader reader(object, path);
    fields.visit(reader);
  }

  template <class Field>
  void operator()(const char* name, Field& field, const char* /*help*/) {
    set(object_[name], path_ + "." + name, field);
  }
  template <class Field, class T>
  void operator()(const char* name, Field& field, const char* help, const Range<T>& range) {
    (*this)(name, field, help);
    check_range(path_ + "." + name, field, range);
  }

 private:
  struct KeyLister {
    std::vector<std::string> keys;
    template <class Field, class... Rest>
    void operator()(const char* name, Field&, const Rest&...) {
      keys.emplace_back(name);
    }
  };

  JsonReader(const nlohmann::json& object, const std::string& path)
      : object_(object), path_(path) {}

  template <class Field>
  static void set(const nlohmann::json& value, const std::string& path, Field& field) {
    if constexpr (std::is_enum_v<Field>) {
      set_enum(value, path, field);
    } else if constexpr (requires(JsonReader & reader) { field.visit(reader); }) {
      read(value, path, field);
    } else if constexpr (requires { typename Field::value_type; } &&
                         !std::is_same_v<Field, std::string>) {
      if (!value.is_array()) json_detail::refuse(path, "must be a list");
      field.clear();
      for (const nlohmann::json& element : value) set(element, path, field.emplace_back());
    } else {
      json_detail::get(value, path, field);
    }
  }

  template <class Enum>
  static void set_enum(const nlohmann::json& value, const std::string& path, Enum& field) {
    const auto found =
        value.is_string() ? enum_value<Enum>(value.get_ref<const std::string&>()) : std::nullopt;
    if (found) {
      field = *found;
      return;
    }
    json_detail::refuse_enum(path, enum_words<Enum>());
  }

  template <class Field, class T>
  static void check_range(const std::string& path, const Field& field, const Range<T>& range) {
    if constexpr (std::is_arithmetic_v<Field>) {
      if (field >= range.least && field <= range.most) return;
      json_detail::refuse(path, "is " + nlohmann::json(field).dump() + ", but must be from " +
                                    nlohmann::json(range.least).dump() + " to " +
                                    nlohmann::json(range.most).dump());
    } else {
      for (const auto& element : field) check_range(path, element, range);
    }
  }

  const nlohmann::json& object_;
  const std::string& path_;
};

// The object that JsonReader reads back.
class JsonWriter {
 public:
  // A copy, because visit() is one function for readers and writers and so cannot be const.
  template <class Struct>
  static nlohmann::json write(Struct fields) {
    JsonWriter writer;
    fields.visit(writer);
    return std::move(writer.object_);
  }

  template <class Field, class... Rest>
  void operator()(const char* name, Field& field, const Rest&... /*help, range*/) {
    if constexpr (std::is_enum_v<Field>) {
      object_[name] = enum_name(field);
    } else if constexpr (requires { field.visit(*this); }) {
      object_[name] = write(field);
    } else {
      object_[name] = field;
    }
  }

 private:
  nlohmann::json object_ = nlohmann::json::object();
};

}  // namespace nrs::model
