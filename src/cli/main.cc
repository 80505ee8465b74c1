// The program `nrs`: reads the command line, runs a verb, and turns errors into exit codes.
#include <CLI/CLI.hpp>

#include "base/process.h"
#include "cli/options.h"

int main(int argc, char** argv) {
  using namespace nrs::cli;
  return nrs::run_program("nrs", [&] {
    CLI::App app("Learns and runs convergent term rewriting systems.", "nrs");
    app.set_version_flag("-V,--version", "nrs " NRS_VERSION, "print the version");
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
    app.footer(
        "exit status: 0 done, 1 internal or I/O error, 2 wrong usage, 3 bad input,\n"
        "             4 some formulas did not reach a normal form\n"
        "nrs help VERB, or nrs VERB --help, lists the options of a verb\n"
        "example: nrs simplify --trace '((15+5)*(3-4))'");
    Action action;
    add_simplify(app, action);
    add_info(app, action);
    add_join(app, action);
    add_train(app, action);
    add_others(app, action);
    std::vector<std::string> words(argv + 1, argv + argc);
    if (!words.empty() && words.front() == "help") {  // help VERB
      words.erase(words.begin());
      words.push_back("--help");
    }
    return run_command_line(app, std::move(words), action);
  });
}
