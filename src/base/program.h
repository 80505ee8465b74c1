#pragma once
// How every program of the command line ends.
#include <functional>
#include <string_view>

namespace nrs {

// Runs a program: prints what make_folders() made, flushes standard output, and turns errors into
// one line on standard error, with the name in front, and an exit code (ErrorKind).
int run_program(std::string_view name, const std::function<int()>& program);

}  // namespace nrs
