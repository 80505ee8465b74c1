#pragma once
// What the verbs of the command line share: how they are declared, parsed and ended.
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "cli/console.h"

// Declared only: every file that includes the option parser takes seconds to compile.
namespace CLI {
class App;
class Option;
}  // namespace CLI

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
// Of nrs-measure.
void add_generate(CLI::App& app, Action& action);
void add_dataset(CLI::App& app, Action& action);
void add_eval(CLI::App& app, Action& action);
void add_verify(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);
void add_confidence(CLI::App& app, Action& action);
void add_compile(CLI::App& app, Action& action);

// A verb without options; `purpose` is that of kVerbs if it is not given.
CLI::App* add_verb(CLI::App& app, const char* name, const char* purpose = nullptr);
// What a verb does if it is the one that was typed.
void on_call(CLI::App& verb, Action& action, Action what);

// A verb with options, which live as long as the parser. Help shows their values before parsing as
// defaults, but for empty ones; default_str("") is for those that stand for something else.
template <class Options>
struct DeclaredVerb {
  CLI::App* verb;
  std::shared_ptr<Options> options;
};
template <class Options>
DeclaredVerb<Options> add_verb(CLI::App& app, Action& action, const char* name,
                               std::type_identity_t<int (*)(const Options&)> run,
                               const char* purpose = nullptr) {
  DeclaredVerb<Options> declared{add_verb(app, name, purpose), std::make_shared<Options>()};
  on_call(*declared.verb, action, [options = declared.options, run] { return run(*options); });
  return declared;
}

// "3" or "1-6".
struct IntRange {
  int from = 1;
  int to = 1;
};
// Throws Error (usage).
IntRange parse_range(const std::string& text, const std::string& option, IntRange allowed);

CLI::Option* add_model_option(CLI::App& verb, std::string& model, const char* name = "--model");
void add_threads_option(CLI::App& verb, int& threads,
                        const char* help = "threads; 0 uses every core");

// What was given to a verb, in words that another parser with the same options reads alike.
std::vector<std::string> given_words(const CLI::App& verb);

// Parses the command line and runs the verb; --describe prints the table of them, from which
// completions, man pages and docs/help are made. Throws Error (usage) in our words, with the
// nearest known word for a misspelt one; prints help where that was asked for.
int run_command_line(CLI::App& app, std::vector<std::string> arguments, const Action& action);

// All of a program beside `nrs`: its verbs, as that hands them over, and errors as exit codes.
using AddVerb = void (*)(CLI::App& app, Action& action);
int run_program(const std::string& purpose, std::initializer_list<AddVerb> verbs, int argc,
                char** argv);

}  // namespace nrs::cli
