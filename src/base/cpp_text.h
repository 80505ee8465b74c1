#pragma once
// Text as C++ source has it.
#include <string>
#include <string_view>

namespace nrs {

// In quotes, with escapes.
std::string cpp_string(std::string_view text);
// What may stand behind two slashes: a line that ends in a backslash would go on.
std::string cpp_comment(std::string text);

}  // namespace nrs
