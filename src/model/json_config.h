#pragma once
// Structs with visit() (base/fields.h) as JSON, written and read back, strictly: a file says every
// field, because defaults may change while the file must keep its meaning.
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "model/field_reader.h"

namespace nrs::model {

// Throws Error (input) unless the text is JSON without a key twice and not nested deeper than we
// ever do. `where` names the text in the message.
nlohmann::json parse_json(std::string_view text, const std::string& where);

// A value in a document, for a FieldReader. `path` names it in messages.
class JsonPlace {
 public:
  JsonPlace(const nlohmann::json& value, std::string path)
      : value_(value), path_(std::move(path)) {}

  static constexpr const char* kText = "a text";
  template <class T>
  std::optional<T> as() const {
    const bool is = std::is_same_v<T, bool>           ? value_.is_boolean()
                    : std::is_same_v<T, std::string>  ? value_.is_string()
                    : std::is_same_v<T, std::int64_t> ? value_.is_number_integer()
                                                      : value_.is_number();
    return is ? std::optional(value_.get<T>()) : std::nullopt;
  }
  std::optional<std::vector<JsonPlace>> elements() const;
  std::optional<JsonPlace> member(const char* name) const;
  void check_members(const std::vector<std::string>& names) const;
  [[noreturn]] void refuse(const std::string& reason) const;
  [[noreturn]] void refuse_size() const { refuse(value_.dump() + " is out of range"); }
  template <class Number>
  static std::string show(Number number) {
    return nlohmann::json(number).dump();
  }

 private:
  const nlohmann::json& value_;
  std::string path_;
};

// Reads all fields of `fields` from an object. Throws Error (input) that names the path of what is
// unknown, missing, of the wrong type or out of range.
template <class Struct>
void read_fields(const nlohmann::json& object, const std::string& path, Struct& fields) {
  FieldReader<JsonPlace>::read({object, path}, fields);
}

template <class Json>
struct FieldWriter {
  Json object = Json::object();

  template <class Field, class... Rest>
  void operator()(const char* name, Field& field, const Rest&... /*help, range*/) {
    if constexpr (std::is_enum_v<Field>) {
      object[name] = enum_name(field);
    } else if constexpr (requires { field.visit(*this); }) {
      FieldWriter inner;
      field.visit(inner);
      object[name] = std::move(inner.object);
    } else {
      object[name] = field;
    }
  }
};

// The object that read_fields() reads back. It takes a copy, because visit() is one function for
// readers and writers and so cannot be const.
template <class Json = nlohmann::json, class Struct>
Json write_fields(Struct fields) {
  FieldWriter<Json> writer;
  fields.visit(writer);
  return std::move(writer.object);
}

}  // namespace nrs::model
