#include "cli/answering.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <utility>

#include "architectures/rule_model.h"
#include "cli/given.h"
#include "cli/models.h"
#include "cli/rule_input.h"
#include "nrs/error.h"
#include "service/models.h"
#include "term/rule_file.h"

namespace nrs::cli {
namespace {

using service::Answer;
using service::Answerer;

constexpr std::int64_t kUsualMemory = 4096;

Answerer answerer_by_rules(const AnsweringOptions& options, const service::Options& how,
                           std::vector<std::string>& formulas) {
  auto rewriter = architectures::make_rule_rewriter(term::read_rule_file(options.rules),
                                                    options.engine.options(1));
  if (formulas.empty()) formulas = rewriter->evals();
  return Answerer(std::move(rewriter), how);
}

// What nrs learn wrote as text may be given as a model, too.
void add_rules_option(CLI::App& verb, AnsweringOptions& options) {
  CLI::Option* rules = verb.add_option(
      "--rules", options.rules,
      "rewrite by a rule file instead of a model: .ari, .trs, .rec, or our own text form with "
      "another extension. Without terms, those that a .rec file asks for");
  for (const char* other : {"--model", "--engine", "--domain", "--leaves", "--paper-notation"}) {
    rules->excludes(verb.get_option(other));
  }
  verb.get_option("--model")->each([&options](const std::string& name) {
    if (is_rule_text(name)) options.rules = as_given(name);
  });
}

}  // namespace

std::string AnsweringOptions::model_or_default() const {
  if (engine.oracle() || !rules.empty()) return "";
  return model.empty() ? service::kDefaultModel : model;
}

void add_answering_options(CLI::App& verb, AnsweringOptions& options) {
  verb.add_option("--model", options.model,
                  fmt::format("name of a model, such as arithmetic (nrs info lists them), or its "
                              "file; default: {}",
                              service::kDefaultModel));
  add_engine_options(verb, options.engine);
  verb.add_option("--domain", options.domain,
                  domain_names() + "; default: the one that can read the formula");
  verb.add_option("--leaves", options.leaves,
                  "all: rewrite every leaf in each round; last: only the last one")
      ->check(CLI::IsMember({"all", "last"}))
      ->capture_default_str();
  verb.add_flag("--trace", options.trace,
                "show each round: the leaves, their values, and how sure the model is of them");
  verb.add_flag("--json", options.json, "one JSON object per formula");
  verb.add_flag("--paper-notation", options.paper_notation,
                "answer in the paper's notation: AND, OR, NOT, True, False");
  verb.add_option("--max-steps", options.max_steps,
                  "give up after this many rewrites; default: in proportion to the length of the "
                  "formula, with rules 1000000000, or 100000 with --trace or outermost");
  add_rules_option(verb, options);
}

Answerer make_answerer(const AnsweringOptions& options, int threads,
                       std::vector<std::string>& formulas) {
  service::Options how;
  how.run.leaves = options.leaves == "last" ? Leaves::kLast : Leaves::kAll;
  how.run.keep_rounds = options.trace;
  how.run.max_steps = options.max_steps;
  const auto domain = [&] {
    if (!options.domain.empty()) how.domain = &find_domain(options.domain);
  };
  if (!options.rules.empty()) return answerer_by_rules(options, how, formulas);
  if (options.engine.oracle()) {
    if (!options.model.empty()) {
      throw Error(ErrorKind::kUsage, "--engine oracle uses no model: leave out --model");
    }
    domain();
    return Answerer(how);
  }
  architectures::RunningModel model = options.engine.load(options.model_or_default(), threads);
  domain();
  return Answerer(std::move(model), how);
}

AnswerText::AnswerText(const AnsweringOptions& options, const Answerer& answerer, TraceStyle drawn)
    : trace_(options.trace),
      json_(options.json),
      max_memory_(kUsualMemory),
      style_{options.trace, options.paper_notation, answerer.threshold()},
      drawn_(drawn) {
  drawn_.threshold = answerer.threshold();
  const auto memory = options.engine.settings.find("max-memory");
  if (memory != options.engine.settings.end()) max_memory_ = memory->second.value_or(kUsualMemory);
}

void AnswerText::operator()(const Answer& answer, std::string& text) const {
  if (json_) {
    service::add_json(answer, style_, text);
    text += '\n';
  } else if (answer.error && answer.place.empty()) {
    return;
  } else if (trace_ && !answer.error) {
    text += draw_trace(answer.formula, answer.result, drawn_);
  } else {
    service::add_line(answer, style_, text);
  }
}

std::string AnswerText::complaint(const Answer& answer) const {
  if (answer.error) {
    return answer.place.empty() ? answer.error->line() : answer.error->in(answer.place).line();
  }
  // What would help where a limit was reached.
  const std::string where = answer.place.empty() ? "" : answer.place + ": ";
  if (answer.result.stop == Stop::kStepLimit) {
    return fmt::format(
        "{}no normal form after {} steps (rewriting may not end for this formula; "
        "--max-steps N allows more)",
        where, answer.result.steps);
  }
  if (answer.result.stop == Stop::kMemoryLimit) {
    return fmt::format(
        "{}no normal form within {} MB of memory, after {} steps (the term grows "
        "too large; --max-memory N allows more)",
        where, max_memory_, answer.result.steps);
  }
  return "";
}

}  // namespace nrs::cli
