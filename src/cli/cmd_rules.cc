// nrs rules: a rule file in another format, or as a program.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "architectures/compiled_model.h"
#include "base/files.h"
#include "cli/given.h"
#include "cli/options.h"
#include "cli/other_verbs.h"
#include "cli/rule_input.h"
#include "compile/table_rules.h"
#include "nrs/error.h"
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

// Rules about numbers are in no format: here they are comments.
std::string number_rules(const term::RuleSet& rules) {
  std::string text;
  for (const term::NumberRule& rule : rules.number_rules) {
    text += fmt::format("# {}: {}\n",
                        term::has_computed_places(rules.terms, rule) ? "computed" : "for numbers",
                        to_string(rules.terms, rule, rules.notation));
  }
  return text;
}

// What the table of a compiled model says; nothing for what has none.
std::optional<std::string> rules_of_table(const std::string& file) {
  const std::string path = as_given(file);
  if (!path.ends_with(".nrs") || is_rule_text(file)) return std::nullopt;
  const model::Model model = model::load_model(path);
  if (!model.has(architectures::kValuesModule)) return std::nullopt;
  return compile::to_text(compile::rules_of(architectures::compiled_model_of(model).parts.table));
}

std::string written(const RulesOptions& options) {
  if (const std::optional<std::string> table = rules_of_table(options.file)) {
    if (options.format == "text") return *table;
    throw Error(ErrorKind::kUsage,
                fmt::format("{} cannot be written as {}: it has a table of leaves, not rules about "
                            "terms",
                            options.file, options.format),
                "--format text shows what the table says");
  }
  const RuleInput input = read_rule_input(options.file);
  const term::RuleSet& rules = input.rules;
  if (options.format == "text") {
    return term::write_rules(rules, term::RuleFormat::kText) + number_rules(rules);
  }
  refuse_number_rules(input,
                      fmt::format("{} cannot be written as {}", options.file, options.format));
  if (options.format == "maude") return term::write_maude(rules);
  if (options.format == "cpp") return rewrite::rules::emit_cpp(rules);
  return term::write_rules(rules, *enum_value<term::RuleFormat>(options.format));
}

int run(const RulesOptions& options) {
  const std::string text = written(options);
  if (options.out.empty() || options.out == "-") {
    print(text);
  } else {
    write_file(options.out, text);
  }
  return kDone;
}

}  // namespace

void add_rules(CLI::App& app, Action& action) {
  auto options = std::make_shared<RulesOptions>();
  CLI::App* verb = app.add_subcommand(kRulesVerb.name, kRulesVerb.purpose);
  verb->add_option(
          "FILE", options->file,
          "rule file: .ari, .trs, .rec, or our own text form with another extension; or a model of "
          "learned rules or a compiled model, .nrs")
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
