#include "model/toml_fields.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <sstream>

#include "base/text.h"
#include "nrs/error.h"

namespace nrs::model {

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

std::string toml_number(double number) {
  const std::string text = fmt::format("{}", number);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string toml_place(const toml::source_region& region) {
  const std::string source = region.path ? *region.path : "text";
  if (source.starts_with("--set ")) return source;
  return fmt::format("{}:{}", source, region.begin.line);
}

void refuse_toml(const toml::source_region& region, const std::string& message,
                 const std::string& hint) {
  throw Error(ErrorKind::kUsage, toml_place(region) + ": " + message, hint);
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

void TomlReader::set_value(const toml::node& node, const char* name, bool& field) {
  const auto value = node.value_exact<bool>();
  if (!value) wrong_type(node, name, "true or false");
  field = *value;
}

void TomlReader::set_value(const toml::node& node, const char* name, int& field) {
  const auto value = node.value_exact<std::int64_t>();
  if (!value) wrong_type(node, name, "a whole number");
  if (*value < std::numeric_limits<int>::min() || *value > std::numeric_limits<int>::max()) {
    refuse_toml(node.source(), fmt::format("{} is {}, which is too large", full(name), *value));
  }
  field = static_cast<int>(*value);
}

void TomlReader::set_value(const toml::node& node, const char* name, double& field) {
  const auto whole = node.value_exact<std::int64_t>();
  const auto value =
      whole ? std::optional(static_cast<double>(*whole)) : node.value_exact<double>();
  // NaN would pass every range check that asks whether a value is outside.
  if (!value || !std::isfinite(*value)) wrong_type(node, name, "a number");
  field = *value;
}

void TomlReader::set_value(const toml::node& node, const char* /*name*/, TomlValue& field) {
  if (const auto number = node.value_exact<double>()) {
    field.text = toml_number(*number);  // the library writes 0.9 with 17 digits
    return;
  }
  std::ostringstream out;
  node.visit([&out](const auto& value) { out << value; });
  field.text = out.str();
}

void TomlReader::set_value(const toml::node& node, const char* name, std::string& field) {
  const auto value = node.value_exact<std::string>();
  if (!value) wrong_type(node, name, "text in quotes");
  field = *value;
}

}  // namespace nrs::model
