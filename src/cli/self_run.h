#pragma once
// Runs of the program nrs, measured from outside.
#include <string>
#include <vector>

#include "base/child.h"

namespace nrs::cli {

// Throws Error (I/O) if the program fails; formulas without a normal form are no failure.
ChildEnd run_self(std::vector<std::string> arguments, const NamelessFile& input);

}  // namespace nrs::cli
