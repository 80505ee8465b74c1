#pragma once
// Rules as one C++ file that needs nothing but a compiler: it reads terms, one per line, on
// standard input and prints their normal forms.
#include <string>

#include "term/rule.h"

namespace nrs::rewrite::rules {

// C++17 for GCC or Clang on a POSIX system: g++ -O2 FILE -pthread. Each symbol with rules is a
// function; a symbol is looked at by a switch; calls in tail position do not grow the stack. Throws
// Error if the rules cannot be compiled.
std::string emit_cpp(const term::RuleSet& rules);

}  // namespace nrs::rewrite::rules
