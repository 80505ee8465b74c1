#pragma once
// Text that is the same inside a string of JSON.
#include <cstddef>
#include <string_view>

namespace nrs {

// How many characters at the front of `text` need no escape and no care: ASCII, but no control
// characters, no quotes and no backslashes.
std::size_t plain_length(std::string_view text);

}  // namespace nrs
