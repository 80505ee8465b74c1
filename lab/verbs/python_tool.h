#pragma once
// Tools of the laboratory that are written in Python. They lie beside the other shared files of the
// program, and need Python 3.11 or later with its standard library.
#include <string>
#include <vector>

#include "base/child.h"

namespace nrs::lab {

using Words = std::vector<std::string>;

// Becomes the tool "language_models/ask.py". It finds the program nrs in the environment, as NRS.
// Throws Error: (I/O) if there is no Python, (usage) if the tool was not installed.
[[noreturn]] void become_tool(const std::string& tool, const Words& arguments);

// Runs the tool to its end; if its code is not 0, it has said why. Throws as above.
ChildEnd run_tool(const std::string& tool, const Words& arguments);

}  // namespace nrs::lab
