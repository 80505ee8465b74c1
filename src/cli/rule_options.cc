#include "cli/rule_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cli/given.h"

namespace nrs::cli {

namespace {

// A model is a safetensors file: eight bytes of length, and then JSON. What nrs learn writes is
// text.
bool is_rule_text(const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) return false;  // a pipe would wait for a writer
  std::ifstream file(path, std::ios::binary);
  char first[9] = {};
  file.read(first, sizeof first);
  const bool model = file.gcount() == sizeof first && first[8] == '{';
  const bool text = std::none_of(first, first + file.gcount(), [](char c) { return c == 0; });
  return file.gcount() > 0 && !model && text;
}

}  // namespace

void add_rule_options(CLI::App& verb, RuleRunOptions& options) {
  CLI::Option* rules = verb.add_option(
      "--rules", options.file,
      "rewrite by a rule file instead of a model: .ari, .trs, .rec, or our own text form with "
      "another extension. Without terms, those that a .rec file asks for");
  for (const char* other : {"--model", "--engine", "--domain", "--leaves", "--paper-notation"}) {
    if (CLI::Option* found = verb.get_option_no_throw(other)) rules->excludes(found);
  }
  if (CLI::Option* model = verb.get_option_no_throw("--model")) {
    model->each([&options](const std::string& name) {
      if (is_rule_text(as_given(name))) options.file = as_given(name);
    });
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

}  // namespace nrs::cli
