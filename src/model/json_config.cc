#include "model/json_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "base/text.h"
#include "nrs/error.h"

namespace nrs::model {

nlohmann::json parse_json(std::string_view text, const std::string& where) {
  constexpr int kMaxDepth = 32;
  std::vector<std::set<std::string>> open;  // keys so far, of each object or list around us
  const auto follow = [&](int, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
    using Event = nlohmann::json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      open.emplace_back();
      if (open.size() > kMaxDepth) json_detail::refuse(where, "JSON is nested too deep");
    } else if (event == Event::object_end || event == Event::array_end) {
      open.pop_back();
    } else if (event == Event::key && !open.back().insert(parsed.get<std::string>()).second) {
      json_detail::refuse(where, fmt::format("key '{}' comes twice",
                                             excerpt(parsed.get_ref<const std::string&>())));
    }
    return true;
  };
  try {
    return nlohmann::json::parse(text, follow);
  } catch (const nlohmann::json::parse_error& error) {
    json_detail::refuse(where, fmt::format("not JSON in UTF-8, near byte {}", error.byte));
  } catch (const nlohmann::json::exception&) {
    json_detail::refuse(where, "a number is out of range");
  }
}

namespace json_detail {

void refuse(const std::string& path, const std::string& reason) {
  throw Error(ErrorKind::kInput, path + ": " + reason);
}

void refuse_enum(const std::string& path, const std::vector<std::string>& words) {
  refuse(path, fmt::format("must be one of \"{}\"", fmt::join(words, "\", \"")));
}

void check_keys(const nlohmann::json& value, const std::string& path,
                const std::vector<std::string>& keys) {
  if (!value.is_object()) refuse(path, "must be an object");
  for (const auto& [key, ignored] : value.items()) {
    if (std::ranges::find(keys, key) == keys.end()) {
      refuse(path, fmt::format("unknown key '{}'", excerpt(key)));
    }
  }
  for (const std::string& key : keys) {
    if (!value.contains(key)) refuse(path, fmt::format("key '{}' is missing", key));
  }
}

void get(const nlohmann::json& value, const std::string& path, bool& field) {
  if (!value.is_boolean()) refuse(path, "must be true or false");
  field = value.get<bool>();
}

void get(const nlohmann::json& value, const std::string& path, int& field) {
  // A number too large for 64 bits is a fraction here, one too large for an int is not.
  if (!value.is_number_integer()) refuse(path, "must be a whole number");
  const bool fits = value.is_number_unsigned()
                        ? value.get<std::uint64_t>() <= std::numeric_limits<int>::max()
                        : value.get<std::int64_t>() >= std::numeric_limits<int>::min();
  if (!fits) refuse(path, fmt::format("{} is out of range", value.dump()));
  field = value.get<int>();
}

void get(const nlohmann::json& value, const std::string& path, double& field) {
  if (!value.is_number()) refuse(path, "must be a number");
  field = value.get<double>();
}

void get(const nlohmann::json& value, const std::string& path, std::string& field) {
  if (!value.is_string()) refuse(path, "must be a text");
  field = value.get<std::string>();
}

}  // namespace json_detail
}  // namespace nrs::model
