#pragma once
// What the verbs of the command line share: how they are declared, parsed and ended.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace nrs {

// Exit codes that are not errors of kind ErrorKind.
inline constexpr int kDone = 0;
inline constexpr int kNotNormal = 4;  // some formulas did not reach a normal form

// What a verb does once the command line has been read; returns the exit code.
using Action = std::function<int()>;

void add_ablate(CLI::App& app, Action& action);
void add_simplify(CLI::App& app, Action& action);
void add_generate(CLI::App& app, Action& action);
void add_dataset(CLI::App& app, Action& action);
void add_eval(CLI::App& app, Action& action);
void add_info(CLI::App& app, Action& action);
void add_baseline(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);
void add_confidence(CLI::App& app, Action& action);
void add_join(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_reproduce(CLI::App& app, Action& action);
void add_train(CLI::App& app, Action& action);
void add_tune(CLI::App& app, Action& action);
void add_verify(CLI::App& app, Action& action);

// "3" or "1-6".
struct IntRange {
  int from = 1;
  int to = 1;
};
// Throws Error (usage).
IntRange parse_range(const std::string& text, const std::string& option, IntRange allowed);

// Parses the command line and runs the verb. Throws Error (usage) in our words, with the nearest
// known word for a misspelt one; prints help where that was asked for.
int run_command_line(CLI::App& app, std::vector<std::string> arguments, const Action& action);

// Runs a whole program: flushes standard output, and turns errors into a line and an exit code.
int run_guarded(const Action& program);

// An argument as the user gave it: run_command_line() hides from the option parser what it would
// take for something else (-20 for an option, [MIN12] for a list).
std::string as_given(const std::string& argument);

// Whether standard output / standard error is a terminal.
bool output_is_terminal();
bool errors_are_terminal();

// One line on standard error, with the program's name in front.
void complain(const std::string& line);

}  // namespace nrs
