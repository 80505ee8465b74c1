#pragma once
// The architectures that come with the program, each in a file of its own.
#include "architectures/architecture.h"

namespace nrs::architectures {

const Architecture& fastnrs_architecture();
const Architecture& nrs_architecture();
const Architecture& ndr_architecture();
const Architecture& compiled_architecture();
const Architecture& patterns_architecture();
const Architecture& rules_architecture();

}  // namespace nrs::architectures
