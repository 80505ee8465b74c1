#pragma once
// Arguments that the option parser would take for something else: -20 for an option, [MIN12] for a
// list.
#include <string>

namespace nrs::cli {

// Hides such an argument from the option parser; leaves others as they are.
void hide(std::string& argument);
// An argument as the user gave it, whether it was hidden or not.
std::string as_given(const std::string& argument);

}  // namespace nrs::cli
