#pragma once
// What a program of the command line says, and how it ends. Knows no option parser.
#include <functional>
#include <string>

namespace nrs::cli {

// Exit codes that are not errors of kind ErrorKind.
inline constexpr int kDone = 0;
inline constexpr int kNotNormal = 4;  // some formulas did not reach a normal form

// What a verb does once the command line has been read; returns the exit code.
using Action = std::function<int()>;

// Runs a whole program: flushes standard output, and turns errors into a line and an exit code.
int run_guarded(const Action& program);

// Whether standard output / standard error is a terminal.
bool output_is_terminal();
bool errors_are_terminal();

// One line on standard error, with the program's name in front.
void complain(const std::string& line);

}  // namespace nrs::cli
