#include "cli/answering.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "architectures/rule_model.h"
#include "cli/models.h"
#include "cli/rule_input.h"
#include "nrs/error.h"
#include "service/models.h"
#include "term/rule_file.h"

namespace nrs::cli {
namespace {

using service::Answer;
using service::Answerer;

constexpr std::int64_t kUsualMemory = 4096;  // in MB

void add_setting(CLI::App& verb, const architectures::EngineSetting& setting,
                 const std::string& help, EngineChoice& choice) {
  const std::string name(setting.name);
  const auto set = [&choice, name](const std::int64_t& value) { choice.settings[name] = value; };
  CLI::Option* option = nullptr;
  if (setting.words.empty()) {
    option = verb.add_option_function<std::int64_t>("--" + name, set, help)
                 ->check(CLI::Range(setting.least, setting.most));
  } else {  // the number of the word is the value
    const std::vector<std::string> words(setting.words.begin(), setting.words.end());
    const auto set_word = [words, set](const std::string& word) {
      set(std::ranges::find(words, word) - words.begin());
    };
    option = verb.add_option_function<std::string>("--" + name, set_word, help)
                 ->check(CLI::IsMember(words));
  }
  option->default_str(std::string(setting.usual));
}

Answerer answerer_by_rules(const AnsweringOptions& options, const service::Options& how,
                           std::vector<std::string>& formulas) {
  auto rewriter = architectures::make_rule_rewriter(
      term::read_rule_file(options.rules), {.threads = 1, .settings = options.engine.settings});
  if (formulas.empty()) formulas = rewriter->evals();
  return Answerer(std::move(rewriter), how);
}

// What nrs learn wrote as text may be given as a model, too.
void add_rules_option(CLI::App& verb, AnsweringOptions& options) {
  CLI::Option* rules = verb.add_option(
      "--rules", options.rules,
      "rewrite by a rule file instead of a model: .ari, .trs, .rec, or our own text form with "
      "another extension. If no terms are given, those in the .rec file are rewritten");
  for (const char* other : {"--model", "--engine", "--domain", "--leaves", "--paper-notation"}) {
    rules->excludes(verb.get_option(other));
  }
  verb.get_option("--model")->each([&options](const std::string& name) {
    if (is_rule_text(name)) options.rules = as_given(name);
  });
}

}  // namespace

std::optional<architectures::RunningModel> EngineChoice::load(const std::string& model,
                                                              int threads) const {
  if (oracle()) {
    if (model.empty()) return std::nullopt;
    throw Error(ErrorKind::kUsage, "--engine oracle uses no model: leave out --model");
  }
  architectures::RunningModel running =
      load_to_run(model, {.threads = threads, .settings = settings});
  const std::string_view its_own = running.architecture().name();
  if (!engine.empty() && engine != its_own) {
    throw Error(ErrorKind::kUsage,
                fmt::format("the architecture of model '{}' is {}, not {}", running.model().name,
                            its_own, engine),
                fmt::format("run it with --engine {}", its_own));
  }
  return running;
}

void add_engine_options(CLI::App& verb, EngineChoice& choice) {
  std::vector<std::string> names;
  std::string help;
  for (const architectures::Architecture* architecture : architectures::all_architectures()) {
    names.emplace_back(architecture->name());
    help += fmt::format("{}: {}; ", architecture->name(), architecture->purpose());
  }
  names.emplace_back("oracle");
  help += "oracle: rewrite by exact rules, without a model. Default: the model's own architecture";
  verb.add_option("--engine", choice.engine, help)->check(CLI::IsMember(names));
  for (const architectures::Architecture* architecture : architectures::all_architectures()) {
    for (const architectures::EngineSetting& setting : architecture->settings()) {
      add_setting(verb, setting, fmt::format("with {}: {}", architecture->name(), setting.help),
                  choice);
    }
  }
}

std::string AnsweringOptions::model_or_default() const {
  if (!rules.empty()) return "";
  return model.empty() && !engine.oracle() ? service::kDefaultModel : model;
}

void add_answering_options(CLI::App& verb, AnsweringOptions& options) {
  verb.add_option("--model", options.model,
                  fmt::format("name of a model, such as arithmetic (nrs info lists them), or its "
                              "file; default: {}",
                              service::kDefaultModel));
  add_engine_options(verb, options.engine);
  verb.add_option("--domain", options.domain,
                  domain_names() + "; default: recognised from the formula");
  verb.add_option("--leaves", options.leaves,
                  "all: rewrite every leaf in each round; last: only the last one")
      ->check(CLI::IsMember({"all", "last"}));
  verb.add_flag("--trace", options.trace,
                "show each round: the leaves, their values, and the model's confidence in them");
  verb.add_flag("--json", options.json, "one JSON object per formula");
  verb.add_flag("--paper-notation", options.paper_notation,
                "answer in the paper's notation: AND, OR, NOT, True, False");
  verb.add_option("--max-steps", options.max_steps,
                  "give up after this many rewrites; default: grows with the length of the "
                  "formula; with rules 1000000000, or 100000 with --trace or outermost");
  add_rules_option(verb, options);
}

Answerer make_answerer(const AnsweringOptions& options, int threads,
                       std::vector<std::string>& formulas) {
  service::Options how;
  how.run.leaves = options.leaves == "last" ? Leaves::kLast : Leaves::kAll;
  how.run.keep_rounds = options.trace;
  how.run.max_steps = options.max_steps;
  if (!options.rules.empty()) return answerer_by_rules(options, how, formulas);
  std::optional<architectures::RunningModel> model =
      options.engine.load(options.model_or_default(), threads);
  if (!options.domain.empty()) how.domain = &find_domain(options.domain);
  return model ? Answerer(*std::move(model), how) : Answerer(how);
}

AnswerText::AnswerText(const AnsweringOptions& options, const Answerer& answerer, TraceStyle drawn)
    : options_(options),
      style_{options.trace, options.paper_notation, answerer.threshold()},
      drawn_(drawn) {
  drawn_.threshold = answerer.threshold();
}

void AnswerText::operator()(const Answer& answer, std::string& text) const {
  if (options_.json) {
    service::add_json(answer, style_, text);
    text += '\n';
  } else if (answer.error && answer.place.empty()) {
    return;
  } else if (options_.trace && !answer.error) {
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
    const auto memory = options_.engine.settings.find("max-memory");
    return fmt::format(
        "{}no normal form within {} MB of memory, after {} steps (the term grows "
        "too large; --max-memory N allows more)",
        where, memory == options_.engine.settings.end() ? kUsualMemory : memory->second,
        answer.result.steps);
  }
  return "";
}

}  // namespace nrs::cli
