// nrs rules: a rule file in another format, or as a program.
#include <CLI/CLI.hpp>
#include <memory>

#include "base/files.h"
#include "cli/options.h"
#include "rewrite/rules/emit_cpp.h"
#include "term/rule_file.h"
#include "term/write_rules.h"

namespace nrs::cli {
namespace {

struct RulesOptions {
  std::string file;
  std::string format = "text";
  std::string out;
};

std::string written(const RulesOptions& options) {
  const term::RuleSet rules = term::read_rule_file(options.file);
  if (options.format == "maude") return term::write_maude(rules);
  if (options.format == "cpp") return rewrite::rules::emit_cpp(rules);
  return term::write_rules(rules, *enum_value<term::RuleFormat>(options.format));
}

int run(const RulesOptions& options) {
  const std::string text = written(options);
  if (options.out.empty() || options.out == "-") {
    StandardOutput output;
    output.write(text);
    output.flush();
  } else {
    AtomicFile file(options.out);
    file.write(text);
    file.commit();
  }
  return kDone;
}

}  // namespace

void add_rules(CLI::App& app, Action& action) {
  auto options = std::make_shared<RulesOptions>();
  CLI::App* verb = app.add_subcommand("rules", "print rules, convert them, or write them as C++");
  verb->add_option("FILE", options->file,
                   "rule file: .ari, .trs, .rec, or our own text form with another extension")
      ->required();
  verb->add_option(
          "--format", options->format,
          "text, ari, trs, rec, maude (a module), or cpp: one C++ file that reads terms on "
          "standard input and prints their normal forms")
      ->check(CLI::IsMember({"text", "ari", "trs", "rec", "maude", "cpp"}))
      ->capture_default_str();
  verb->add_option("--out", options->out, "file to write; default: standard output");
  verb->footer(
      "example: nrs rules peano.trs --format cpp --out peano.cpp && g++ -O2 -o peano peano.cpp "
      "-pthread");
  verb->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace nrs::cli
