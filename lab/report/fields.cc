#include "report/fields.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "nrs/error.h"

namespace nrs {

Fields::Fields(const nlohmann::json& object, std::string place)
    : object_(&object), place_(std::move(place)) {
  if (!object.is_object()) throw Error(ErrorKind::kInput, place_ + ": must be an object");
}

std::string Fields::inside(const std::string& name) const {
  return place_ + (outermost_ ? ": " : ".") + name;
}

void Fields::refuse(const std::string& name, const std::string& reason, std::string hint) const {
  throw Error(ErrorKind::kInput, inside(name) + ": " + reason, std::move(hint));
}

const nlohmann::json& Fields::get(const char* name) const {
  const auto found = object_->find(name);
  if (found == object_->end()) refuse(name, "is missing");
  return *found;
}

const nlohmann::json& Fields::list(const char* name) const {
  const nlohmann::json& value = get(name);
  if (!value.is_array()) refuse(name, "must be a list");
  return value;
}

bool Fields::has(const char* name) const {
  const auto found = object_->find(name);
  return found != object_->end() && !found->is_null();
}

std::string Fields::text(const char* name) const {
  const nlohmann::json& value = get(name);
  if (!value.is_string()) refuse(name, "must be a text");
  return value.get<std::string>();
}

double Fields::number(const char* name) const {
  const nlohmann::json& value = get(name);
  if (!value.is_number() || !std::isfinite(value.get<double>())) refuse(name, "must be a number");
  return value.get<double>();
}

std::uint64_t Fields::count(const char* name) const {
  const nlohmann::json& value = get(name);
  if (!value.is_number_unsigned()) refuse(name, "must be a whole number, not negative");
  return value.get<std::uint64_t>();
}

bool Fields::flag(const char* name) const {
  const nlohmann::json& value = get(name);
  if (!value.is_boolean()) refuse(name, "must be true or false");
  return value.get<bool>();
}

double Fields::share(const char* name) const {
  const double value = number(name);
  if (value < 0 || value > 1) refuse(name, fmt::format("is {}, but must be from 0 to 1", value));
  return value;
}

std::vector<std::string> Fields::texts(const char* name) const {
  std::vector<std::string> all;
  for (const nlohmann::json& value : list(name)) {
    if (!value.is_string()) refuse(name, "must be a list of texts");
    all.push_back(value.get<std::string>());
  }
  return all;
}

std::vector<std::uint64_t> Fields::counts(const char* name) const {
  std::vector<std::uint64_t> all;
  for (const nlohmann::json& value : list(name)) {
    if (!value.is_number_unsigned()) refuse(name, "must be a list of whole numbers");
    all.push_back(value.get<std::uint64_t>());
  }
  return all;
}

std::vector<std::optional<double>> Fields::numbers(const char* name) const {
  std::vector<std::optional<double>> all;
  for (const nlohmann::json& value : list(name)) {
    if (!value.is_number() && !value.is_null()) refuse(name, "must be a list of numbers");
    all.push_back(value.is_null() ? std::nullopt : std::optional(value.get<double>()));
  }
  return all;
}

Fields Fields::object(const char* name) const {
  Fields fields(get(name), inside(name));
  fields.outermost_ = false;
  return fields;
}

std::vector<Fields> Fields::objects(const char* name) const {
  std::vector<Fields> all;
  for (const nlohmann::json& value : list(name)) {
    all.emplace_back(value, inside(fmt::format("{}[{}]", name, all.size())));
    all.back().outermost_ = false;
  }
  return all;
}

std::vector<std::pair<std::string, Fields>> Fields::members(const char* name) const {
  const nlohmann::json& value = get(name);
  if (!value.is_object()) refuse(name, "must be an object");
  std::vector<std::pair<std::string, Fields>> all;
  for (const auto& [key, member] : value.items()) {
    all.emplace_back(key, Fields(member, inside(std::string(name) + "." + key)));
    all.back().second.outermost_ = false;
  }
  return all;
}

}  // namespace nrs
