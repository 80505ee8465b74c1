#include "cli/rule_options.h"

#include <CLI/CLI.hpp>

namespace nrs {

void add_rule_options(CLI::App& verb, RuleRunOptions& options) {
  CLI::Option* rules = verb.add_option(
      "--rules", options.file,
      "rewrite by a rule file instead of a model: .ari, .trs, .rec, or our own text form with "
      "another extension. Without terms, those that a .rec file asks for");
  for (const char* other : {"--model", "--engine", "--domain", "--leaves", "--paper-notation"}) {
    if (CLI::Option* found = verb.get_option_no_throw(other)) rules->excludes(found);
  }
  verb.add_option("--strategy", options.strategy,
                  "with --rules: which redex is rewritten, innermost or outermost, from the left")
      ->check(CLI::IsMember({"innermost", "outermost"}))
      ->needs(rules)
      ->capture_default_str();
  verb.add_option("--notation", options.notation,
                  "with --rules: how terms are written, functional, sexpr or infix; default: as "
                  "the file says, or functional")
      ->check(CLI::IsMember({"functional", "sexpr", "infix"}))
      ->needs(rules);
  verb.add_option("--max-steps", options.max_steps,
                  "with --rules: give up after this many steps; default: 1000000000, or 100000 "
                  "with --trace or outermost")
      ->needs(rules);
  verb.add_option("--max-memory", options.max_megabytes,
                  "with --rules: give up when terms need more than this many megabytes")
      ->check(CLI::Range(16, 1 << 20))
      ->needs(rules)
      ->capture_default_str();
}

}  // namespace nrs
