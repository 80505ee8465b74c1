#pragma once
// The part of a target behind the question mark.
#include <map>
#include <string>
#include <string_view>

namespace nrs::serve {

// "a=1&b=x%20y" as names and values. Throws Refusal (400) for a name that is there twice and for a
// wrong escape.
std::map<std::string, std::string> read_query(std::string_view query);

}  // namespace nrs::serve
