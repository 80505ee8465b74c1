#include "model/json_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "nrs/error.h"

namespace nrs::model {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw Error(ErrorKind::kInput, path + ": " + reason);
}

}  // namespace

nlohmann::json parse_json(std::string_view text, const std::string& where) {
  constexpr int kMaxDepth = 32;
  std::vector<std::set<std::string>> open;  // keys so far, of each object or list around us
  const auto follow = [&](int, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
    using Event = nlohmann::json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      open.emplace_back();
      if (open.size() > kMaxDepth) refuse(where, "JSON is nested too deep");
    } else if (event == Event::object_end || event == Event::array_end) {
      open.pop_back();
    } else if (event == Event::key && !open.back().insert(parsed.get<std::string>()).second) {
      refuse(where,
             fmt::format("key '{}' comes twice", excerpt(parsed.get_ref<const std::string&>())));
    }
    return true;
  };
  try {
    return nlohmann::json::parse(text, follow);
  } catch (const nlohmann::json::parse_error& error) {
    refuse(where, fmt::format("not JSON in UTF-8, near byte {}", error.byte));
  } catch (const nlohmann::json::exception&) {
    refuse(where, "a number is out of range");
  }
}

void JsonPlace::refuse(const std::string& reason) const {
  model::refuse(path_, reason);
}

std::optional<std::vector<JsonPlace>> JsonPlace::elements() const {
  if (!value_.is_array()) return std::nullopt;
  std::vector<JsonPlace> found;
  for (const nlohmann::json& element : value_) found.emplace_back(element, path_);
  return found;
}

std::optional<JsonPlace> JsonPlace::member(const char* name) const {
  if (!value_.is_object()) refuse("must be an object");
  const auto found = value_.find(name);
  if (found == value_.end()) return std::nullopt;
  return JsonPlace(*found, path_ + "." + name);
}

void JsonPlace::check_members(const std::vector<std::string>& names) const {
  if (!value_.is_object()) refuse("must be an object");
  for (const auto& [key, ignored] : value_.items()) {
    if (std::ranges::find(names, key) == names.end()) {
      refuse(fmt::format("unknown key '{}'", excerpt(key)));
    }
  }
  for (const std::string& name : names) {
    if (!value_.contains(name)) refuse(fmt::format("key '{}' is missing", name));
  }
}

}  // namespace nrs::model
