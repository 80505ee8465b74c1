// Bytes as rule files of every format: what can be read can be written, and then read again with as
// many rules; and small rule sets can be compiled and run.
#include "fuzz.h"
#include "rewrite/rules/machine.h"
#include "term/rule_file.h"
#include "term/write_rules.h"

namespace nrs {
namespace {

void check(std::string_view content, term::RuleFormat format) {
  term::RuleSet rules = term::read_rules(content, format, "fuzz");
  const std::string text = term::write_rules(rules, term::RuleFormat::kText);
  if (!rules.rules.empty()) {
    fuzz::expect(term::read_rules(text, term::RuleFormat::kText, "fuzz").rules.size() ==
                 rules.rules.size());
  }
  if (rules.rules.size() > 50) return;
  const rewrite::rules::Program program(rules);
  rewrite::rules::Machine machine(
      program, {.max_steps = 1000, .max_bytes = 1 << 22, .first_bytes = 1 << 12});
  const std::vector<term::Rule> all = rules.rules;
  for (const term::Rule& rule : all) {
    if (rules.terms.size(rule.left) < 1000) machine.normal_form(rules.terms, rule.left);
  }
}

}  // namespace

void fuzz::check(std::string_view content) {
  using enum term::RuleFormat;
  for_each_reader({kText, kAri, kTrs, kRec}, [&](auto format) { nrs::check(content, format); });
}

}  // namespace nrs
