// nrs rules: a rule file in another format, or as a program.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "architectures/compiled_model.h"
#include "cli/options.h"
#include "cli/rule_input.h"
#include "compile/emit_cpp.h"
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

// Of a compiled model: what its table says, or the whole model as a program. Nothing for what is
// none.
std::optional<std::string> of_compiled(const RulesOptions& options) {
  const std::string path = rule_path(options.file);
  if (!path.ends_with(".nrs") || is_rule_text(options.file)) return std::nullopt;
  const model::Model model = model::load_model(path);
  if (!model.has(architectures::kValuesModule)) return std::nullopt;
  const architectures::CompiledModel compiled = architectures::compiled_model_of(model);
  if (options.format == "text") return compile::to_text(compile::rules_of(compiled.parts.table));
  if (options.format == "cpp") {
    return compile::emit_cpp({.name = model.name,
                              .parts = &compiled.parts,
                              .tokens = compiled.tokens,
                              .min_log_prob = compiled.min_log_prob});
  }
  throw Error(ErrorKind::kUsage,
              fmt::format("{} cannot be written as {}: it has a table of leaves, not rules about "
                          "terms",
                          options.file, options.format),
              "--format text shows what the table says, and cpp is the model as a program");
}

std::string written(const RulesOptions& options) {
  if (std::optional<std::string> compiled = of_compiled(options)) return *std::move(compiled);
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
  Output output(options.out);
  output.write(text);
  output.commit();
  return kDone;
}

}  // namespace

void add_rules(CLI::App& app, Action& action) {
  const auto [verb, options] = add_verb<RulesOptions>(app, action, "rules", run);
  verb->add_option(
          "FILE", options->file,
          "rule file: .ari, .trs, .rec, or our own text form with another extension; or a model of "
          "learned rules or a compiled model, .nrs")
      ->required();
  verb->add_option(
          "--format", options->format,
          "text, ari, trs, rec, maude (a module), or cpp: one C++ file that reads terms on "
          "standard input and prints their normal forms; for a compiled model, text or cpp")
      ->check(CLI::IsMember({"text", "ari", "trs", "rec", "maude", "cpp"}));
  verb->add_option("--out", options->out, "file to write; default: standard output");
  verb->footer(
      "example: nrs rules peano.trs --format cpp --out peano.cpp && g++ -O2 -o peano peano.cpp "
      "-pthread");
}

}  // namespace nrs::cli
