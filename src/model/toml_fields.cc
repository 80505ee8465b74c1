#include "model/toml_fields.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <sstream>

#include "base/text.h"
#include "nrs/error.h"

namespace nrs::model {
namespace {

std::string toml_number(double number) {
  const std::string text = fmt::format("{}", number);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string value_text(const nlohmann::ordered_json& value) {
  if (value.is_string()) return toml_text(value.get_ref<const std::string&>());
  if (value.is_number_float()) return toml_number(value.get<double>());
  if (!value.is_array()) return value.dump();
  std::vector<std::string> parts;
  for (const auto& element : value) parts.push_back(value_text(element));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& source) {
  try {
    return toml::parse(text, source);
  } catch (const toml::parse_error& error) {
    refuse_toml(error.source(), std::string(error.description()));
  }
}

std::string toml_text(std::string_view text) {
  std::ostringstream out;
  out << toml::value<std::string>(std::string(text));
  return out.str();
}

void refuse_toml(const toml::source_region& region, const std::string& message,
                 const std::string& hint) {
  const std::string source = region.path ? *region.path : "text";
  const std::string line =
      source.starts_with("--set ") ? "" : fmt::format(":{}", region.begin.line);
  throw Error(ErrorKind::kUsage, fmt::format("{}{}: {}", source, line, message), hint);
}

void refuse_unknown(const toml::table& table, const std::string& path,
                    const std::vector<std::string>& known) {
  for (const auto& [key, node] : table) {
    if (std::find(known.begin(), known.end(), std::string(key.str())) != known.end()) continue;
    const std::string close = nearest(key.str(), known);
    const std::string prefix = path.empty() ? "" : path + ".";
    refuse_toml(key.source(), fmt::format("unknown key {}{}", prefix, std::string(key.str())),
                close.empty() ? fmt::format("known here: {}", fmt::join(known, ", "))
                              : fmt::format("did you mean {}{}?", prefix, close));
  }
}

std::vector<const toml::table*> tables_of(const toml::table& document, const char* name) {
  const toml::node* node = document.get(name);
  if (node == nullptr) return {};
  if (!node->is_array_of_tables()) {
    refuse_toml(node->source(), fmt::format("{0} must be tables, as in [[{0}]]", name));
  }
  std::vector<const toml::table*> found;
  for (const toml::node& entry : *node->as_array()) found.push_back(entry.as_table());
  return found;
}

void TomlPlace::refuse(const std::string& reason) const {
  refuse_toml(node_.source(), path_ + " " + reason);
}

void TomlPlace::refuse_size() const {
  refuse(fmt::format("is {}, which is too large", *as<std::int64_t>()));
}

template <>
std::optional<double> TomlPlace::as<double>() const {
  if (const auto whole = as<std::int64_t>()) return static_cast<double>(*whole);
  const auto value = node_.value_exact<double>();
  return value && std::isfinite(*value) ? value : std::nullopt;
}

template <>
std::optional<TomlValue> TomlPlace::as<TomlValue>() const {
  if (const auto number = node_.value_exact<double>()) {
    return TomlValue{toml_number(*number)};  // the library writes 0.9 with 17 digits
  }
  std::ostringstream out;
  node_.visit([&out](const auto& value) { out << value; });
  return TomlValue{out.str()};
}

std::optional<std::vector<TomlPlace>> TomlPlace::elements() const {
  if (!node_.is_array()) return std::nullopt;
  std::vector<TomlPlace> found;
  for (const toml::node& element : *node_.as_array()) found.emplace_back(element, path_);
  return found;
}

std::optional<TomlPlace> TomlPlace::member(const char* name) const {
  if (!node_.is_table()) refuse("must be a table");
  const toml::node* found = node_.as_table()->get(name);
  if (found == nullptr) return std::nullopt;
  return TomlPlace(*found, path_.empty() ? name : path_ + "." + name);
}

void TomlPlace::check_members(const std::vector<std::string>& names) const {
  refuse_unknown(*node_.as_table(), path_, names);
}

std::vector<TomlField> list_fields(const nlohmann::ordered_json& object, const std::string& table) {
  std::vector<TomlField> fields;
  for (const auto& [key, value] : object.items()) {
    TomlField field{table, key, {}};
    if (value.is_object()) {
      const std::vector<TomlField> inner = list_fields(value, field.path());
      fields.insert(fields.end(), inner.begin(), inner.end());
    } else {
      field.value = value_text(value);
      fields.push_back(std::move(field));
    }
  }
  return fields;
}

}  // namespace nrs::model
