#pragma once
// Compares a JSON document with a format, which is JSON of the same shape: in the place of a value
// it has its type, such as "count"; of a list the format of its elements, and "some" if it must not
// be empty. "name?" is a field that may be null or missing, "*" stands for all members.
#include <nlohmann/json.hpp>
#include <string>

namespace nrs::lab {

// `place` is the file. Throws Error (input) that names the place and the first field that is not as
// it should be.
void check_format(const nlohmann::json& document, const nlohmann::ordered_json& format,
                  const std::string& place);
// Throws Error (input).
[[noreturn]] void refuse_field(const std::string& place, const std::string& reason,
                               const std::string& hint = {});

}  // namespace nrs::lab
