#pragma once
// What no line of a file of examples may have in it.
#include <optional>
#include <string>
#include <string_view>

#include "examples/examples.h"

namespace nrs::examples {

// Throws Error (input) if a file that begins with this line is none of text.
void refuse_other_files(std::string_view line, const std::string& name);
// What is wrong with the characters of a line; nothing if all is well.
std::optional<std::string> fault_of(std::string_view line);
// Throws Error (input) if a formula is missing or is not one line.
void check_formulas(const Example& example);

}  // namespace nrs::examples
