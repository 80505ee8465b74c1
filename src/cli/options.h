#pragma once
// What the verbs of the command line share: how they are declared, parsed and ended.
#include <span>
#include <string>
#include <vector>

#include "cli/console.h"

// Declared only: every file that includes the option parser takes seconds to compile.
namespace CLI {
class App;
}

namespace nrs::cli {

void add_simplify(CLI::App& app, Action& action);
void add_info(CLI::App& app, Action& action);
void add_join(CLI::App& app, Action& action);
void add_train(CLI::App& app, Action& action);
void add_others(CLI::App& app, Action& action);  // of the programs beside nrs
// Of nrs-teach.
void add_learn(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_rules(CLI::App& app, Action& action);
void add_derive(CLI::App& app, Action& action);
// Of nrs-bulk.
void add_bulk(CLI::App& app, Action& action);
// Of nrs-serve.
void add_serve(CLI::App& app, Action& action);
// Of nrs-measure.
void add_generate(CLI::App& app, Action& action);
void add_dataset(CLI::App& app, Action& action);
void add_eval(CLI::App& app, Action& action);
void add_verify(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);
void add_confidence(CLI::App& app, Action& action);
void add_compile(CLI::App& app, Action& action);

// "3" or "1-6".
struct IntRange {
  int from = 1;
  int to = 1;
};
// Throws Error (usage).
IntRange parse_range(const std::string& text, const std::string& option, IntRange allowed);

void add_threads_option(CLI::App& verb, int& threads,
                        const char* help = "threads; 0 uses every core");

// What was given to a verb, in words that another parser with the same options reads alike.
std::vector<std::string> given_words(const CLI::App& verb);

// Parses the command line and runs the verb; --describe prints the table of them. Throws Error
// (usage) in our words, with the nearest known word for a misspelt one; prints help where that was
// asked for.
int run_command_line(CLI::App& app, std::vector<std::string> arguments, const Action& action);

// All of a program beside `nrs`: its verbs, as that hands them over, and errors as exit codes.
using AddVerb = void (*)(CLI::App& app, Action& action);
int run_program(const std::string& purpose, std::span<const AddVerb> verbs, int argc, char** argv);

}  // namespace nrs::cli
