// nrs simplify: the normal form of each formula, in order, from arguments or a stream.
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <memory>

#include "architectures/rule_model.h"
#include "base/files.h"
#include "base/lines.h"
#include "base/text.h"
#include "cli/engine_options.h"
#include "cli/given.h"
#include "cli/options.h"
#include "cli/rule_input.h"
#include "cli/trace.h"
#include "service/answerer.h"
#include "term/rule_file.h"

namespace nrs::cli {
namespace {

using service::Answer;
using service::Answerer;

struct SimplifyOptions {
  EngineChoice engine;
  std::string model;  // empty: the one that ships as the default
  std::string rules;  // a rule file instead
  std::optional<std::size_t> max_steps;
  std::string domain;
  std::string leaves = "all";
  bool trace = false;
  bool json = false;
  bool paper_notation = false;
  int threads = 0;
  std::vector<std::string> formulas;

  bool stream() const { return formulas.empty() || (formulas.size() == 1 && formulas[0] == "-"); }
};

// By a rule file; `formulas` become the terms that it asks for, if there are no others.
Answerer answerer_by_rules(const SimplifyOptions& options, const service::Options& how,
                           std::vector<std::string>& formulas) {
  auto rewriter = architectures::make_rule_rewriter(term::read_rule_file(options.rules),
                                                    options.engine.options(1));
  if (formulas.empty()) formulas = rewriter->evals();
  return Answerer(std::move(rewriter), how);
}

Answerer make_answerer(SimplifyOptions& options) {
  service::Options how;
  how.run.leaves = options.leaves == "last" ? Leaves::kLast : Leaves::kAll;
  how.run.keep_rounds = options.trace;
  how.run.max_steps = options.max_steps;
  const auto domain = [&] {
    if (!options.domain.empty()) how.domain = &find_domain(options.domain);
  };
  if (!options.rules.empty()) return answerer_by_rules(options, how, options.formulas);
  if (options.engine.oracle()) {
    if (!options.model.empty()) {
      throw Error(ErrorKind::kUsage, "--engine oracle uses no model: leave out --model");
    }
    domain();
    return Answerer(how);
  }
  // Many formulas keep all threads busy, one to each; a lone one has them for itself.
  const bool lone = options.formulas.size() == 1 && !options.stream();
  architectures::RunningModel model = options.engine.load(
      options.model.empty() ? service::kDefaultModel : options.model, lone ? options.threads : 1);
  domain();
  return Answerer(std::move(model), how);
}

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) return size.ws_col - 6u;
  return TraceStyle{}.width;
}

class Simplify {
 public:
  explicit Simplify(const SimplifyOptions& options)
      : options_(options), answerer_(make_answerer(options_)) {
    drawn_.colour = output_is_terminal() && std::getenv("NO_COLOR") == nullptr;
    drawn_.width = output_is_terminal() ? terminal_width() : drawn_.width;
    drawn_.threshold = answerer_.threshold();
    style_ = {options.trace, options.paper_notation, answerer_.threshold()};
  }

  int run() {
    if (options_.formulas.empty() && ::isatty(STDIN_FILENO) == 1) {
      throw Error(ErrorKind::kUsage, "no formula given", "write it in quotes, or - to type lines");
    }
    options_.stream() ? run_stream() : run_arguments();
    if (failed_) return static_cast<int>(ErrorKind::kInput);
    return stuck_ ? kNotNormal : kDone;
  }

 private:
  // Formulas that are worked on together: many short ones, or a few long ones.
  static constexpr std::size_t kBatchFormulas = 4096;
  static constexpr std::size_t kBatchCharacters = std::size_t{1} << 20;

  void run_arguments() {
    std::vector<Answer> batch(options_.formulas.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      batch[i].text = as_given(options_.formulas[i]);
      if (batch.size() > 1) batch[i].place = fmt::format("formula {}", i + 1);
    }
    process(batch);
  }

  void run_stream() {
    LineReader lines("-", kMaxFormulaLength);
    std::vector<Answer> batch;
    std::size_t characters = 0;
    std::string line;
    while (lines.next(line)) {
      Answer& item = batch.emplace_back();
      item.place = fmt::format("line {}", lines.number());
      item.text = std::move(line);
      if (lines.no_memory()) {
        service::fail(item,
                      Error(ErrorKind::kInput, "there is not enough memory for this formula"));
      } else if (lines.too_long()) {
        service::fail(item, formula_too_long());
      }
      characters += item.text.size();
      const bool full = batch.size() >= kBatchFormulas || characters >= kBatchCharacters;
      if (!full && lines.more_at_hand()) continue;
      process(batch);
      batch.clear();
      characters = 0;
    }
    process(batch);
  }

  void process(std::vector<Answer>& batch) {
    output_.write(answerer_.answer(batch, options_.threads, [this](const Answer& answer) {
      return options_.json ? service::to_json(answer, style_) : show(answer);
    }));
    output_.flush();
    for (const Answer& answer : batch) {
      if (answer.error) report(answer);
      if (!answer.error && !answer.ok()) report_limit(answer);
    }
  }

  // Nothing for a lone formula that is bad: the complaint says everything.
  std::string show(const Answer& answer) const {
    if (answer.error) {
      return answer.place.empty() ? "" : fmt::format("error: {}\n", answer.error->what());
    }
    if (options_.trace) return draw_trace(answer.formula, answer.result, drawn_);
    const std::string result = service::shown_result(answer, style_);
    return answer.ok() ? result + "\n"
                       : fmt::format("stopped: {}: {}\n", name_of(answer.result.stop), result);
  }

  void report(const Answer& answer) {
    failed_ = true;
    complain(answer.place.empty() ? answer.error->line() : answer.error->in(answer.place).line());
  }

  // What would help where a limit was reached.
  void report_limit(const Answer& answer) {
    stuck_ = true;
    const std::string where = answer.place.empty() ? "" : answer.place + ": ";
    if (answer.result.stop == Stop::kStepLimit) {
      complain(
          fmt::format("{}no normal form after {} steps (rewriting may not end for this formula; "
                      "--max-steps N allows more)",
                      where, answer.result.steps));
    } else if (answer.result.stop == Stop::kMemoryLimit) {
      complain(fmt::format(
          "{}no normal form within {} MB of memory, after {} steps (the term grows "
          "too large; --max-memory N allows more)",
          where, options_.engine.settings["max-memory"].value_or(4096), answer.result.steps));
    }
  }

  SimplifyOptions options_;
  Answerer answerer_;
  service::Style style_;  // of JSON
  TraceStyle drawn_;      // for people
  StandardOutput output_;
  bool failed_ = false;
  bool stuck_ = false;
};

// What nrs learn wrote as text may be given as a model, too.
void add_rules_option(CLI::App& verb, SimplifyOptions& options) {
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

void add_simplify(CLI::App& app, Action& action) {
  auto options = std::make_shared<SimplifyOptions>();
  CLI::App* verb = app.add_subcommand("simplify", "print the normal form of each formula");
  verb->add_option("FORMULA", options->formulas,
                   "formulas, in quotes; with - or none, each line of standard input is one");
  verb->add_option(
      "--model", options->model,
      fmt::format("name of a model, such as arithmetic (nrs info lists them), or its file; "
                  "default: {}",
                  service::kDefaultModel));
  add_engine_options(*verb, options->engine);
  verb->add_option("--domain", options->domain,
                   "logic, listops, arithmetic or algebra; default: the one that can read the "
                   "formula");
  verb->add_option("--leaves", options->leaves,
                   "all: rewrite every leaf in each round; last: only the last one")
      ->check(CLI::IsMember({"all", "last"}))
      ->capture_default_str();
  verb->add_flag("--trace", options->trace,
                 "show each round: the leaves, their values, and how sure the model is of them");
  verb->add_flag("--json", options->json, "one JSON object per formula");
  verb->add_flag("--paper-notation", options->paper_notation,
                 "answer in the paper's notation: AND, OR, NOT, True, False");
  verb->add_option("--threads", options->threads, "threads; 0 uses every core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  verb->add_option("--max-steps", options->max_steps,
                   "give up after this many rewrites; default: in proportion to the length of the "
                   "formula, with rules 1000000000, or 100000 with --trace or outermost");
  add_rules_option(*verb, *options);
  verb->footer(
      "Every formula gets one answer, in order, and so does every line: a bad formula or a blank "
      "line\n"
      "gets an error entry in its place, and the others are still answered.\n"
      "exit status: 0 all final, 3 some formula was bad, 4 some did not reach a normal form\n"
      "example: nrs simplify --trace '((15+5)*(3-4))'\n"
      "         nrs simplify --rules peano.trs --trace 'plus(s(0),s(0))'");
  verb->callback([options, &action] { action = [options] { return Simplify(*options).run(); }; });
}

}  // namespace nrs::cli
