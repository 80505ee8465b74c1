#include "report/check_format.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <map>

#include "nrs/error.h"

namespace nrs::lab {
namespace {

using Json = nlohmann::json;
using Format = nlohmann::ordered_json;

constexpr double kDeepest = 1 << 24;

bool is_number(const Json& value) {
  return value.is_number() && std::isfinite(value.get<double>());
}

bool is_within(const Json& value, double from, double to) {
  return is_number(value) && value.get<double>() >= from && value.get<double>() <= to;
}

struct Type {
  std::function<bool(const Json&)> is;
  const char* rule;
};

const Type& type_of(const std::string& name) {
  static const std::map<std::string, Type> types{
      {"text", {[](const Json& value) { return value.is_string(); }, "must be a text"}},
      {"flag", {[](const Json& value) { return value.is_boolean(); }, "must be true or false"}},
      {"number", {is_number, "must be a number"}},
      {"count",
       {[](const Json& value) { return value.is_number_unsigned(); },
        "must be a whole number, not negative"}},
      {"share",
       {[](const Json& value) { return is_within(value, 0, 1); }, "must be a number from 0 to 1"}},
      {"log_prob",
       {[](const Json& value) { return is_within(value, -INFINITY, 0); },
        "must be a number not above 0"}},
      {"level",
       {[](const Json& value) { return value.is_number_unsigned() && is_within(value, 1, 100); },
        "must be a whole number from 1 to 100"}},
      {"nesting",
       {[](const Json& value) {
          return value.is_number_unsigned() && is_within(value, 0, kDeepest);
        },
        "must be a whole number, and not as large"}},
      {"setting",
       {[](const Json& value) { return value == "single" || value == "multi"; },
        "must be \"single\" or \"multi\""}}};
  return types.at(name);
}

void check(const Json& value, const Format& format, const std::string& place, bool outermost) {
  if (format.is_string()) {
    std::string name = format.get<std::string>();
    if (name.ends_with('?')) {
      if (value.is_null()) return;
      name.pop_back();
    }
    const Type& type = type_of(name);
    if (!type.is(value)) refuse_field(place, type.rule);
  } else if (format.is_array()) {
    if (!value.is_array()) refuse_field(place, "must be a list");
    if (value.empty() && format.size() > 1) refuse_field(place, "there are none");
    for (std::size_t i = 0; i < value.size(); ++i) {
      check(value[i], format[0], fmt::format("{}[{}]", place, i), false);
    }
  } else {
    if (!value.is_object()) refuse_field(place, "must be an object");
    const std::string prefix = place + (outermost ? ": " : ".");
    for (auto [name, field] : format.items()) {
      if (name == "*") {
        for (const auto& [key, member] : value.items()) check(member, field, prefix + key, false);
        continue;
      }
      const bool optional = name.ends_with('?');
      const std::string key = name.substr(0, name.size() - (optional ? 1 : 0));
      const auto found = value.find(key);
      if (optional && (found == value.end() || found->is_null())) continue;
      if (found == value.end()) refuse_field(prefix + key, "is missing");
      check(*found, field, prefix + key, false);
    }
  }
}

}  // namespace

void refuse_field(const std::string& place, const std::string& reason, const std::string& hint) {
  throw Error(ErrorKind::kInput, place + ": " + reason, hint);
}

void check_format(const Json& document, const Format& format, const std::string& place) {
  check(document, format, place, /*outermost=*/true);
}

}  // namespace nrs::lab
