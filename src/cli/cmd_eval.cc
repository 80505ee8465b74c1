// nrs eval: how many formulas come to their value, level by level, and what goes wrong with others.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/files.h"
#include "base/process.h"
#include "base/status_line.h"
#include "base/threads.h"
#include "cli/answering.h"
#include "cli/eval_examples.h"
#include "cli/options.h"
#include "cli/question_options.h"
#include "eval/evaluate.h"
#include "eval/origin.h"
#include "nrs/error.h"
#include "rewrite/oracle.h"

namespace nrs::cli {
namespace {

// Each may be a part of longer tokens only, as the letters of MIN.
bool reads_all(const std::vector<std::string>& tokens, std::string_view characters) {
  return std::all_of(characters.begin(), characters.end(), [&](char character) {
    return std::any_of(tokens.begin(), tokens.end(), [&](const std::string& token) {
      return token.find(character) != std::string::npos;
    });
  });
}

struct EvalOptions : QuestionOptions, ExampleEval {
  EngineChoice engine;
};

using MaybeModel = std::optional<architectures::RunningModel>;  // else the oracle

// Those that formulas are drawn from or read by. A model of someone's own system has none.
std::vector<const Domain*> choose_domains(const EvalOptions& options, const MaybeModel& model) {
  std::vector<const Domain*> domains(all_domains().begin(), all_domains().end());
  if (!options.domain.empty()) {
    domains = {&find_domain(options.domain)};
  } else if (model) {
    domains = eval::domains_of(model->model());
  }
  if (options.data.empty() && (domains.empty() || (!model && options.domain.empty()))) {
    throw Error(ErrorKind::kUsage, "the model does not say which domain it is for",
                "name a domain with --domain, or a file with --data");
  }
  for (const Domain* domain : domains) {
    if (model && !reads_all(model->rewriter().tokens(), domain->alphabet())) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("model '{}' does not know all characters of domain {}", options.model,
                              domain->name()));
    }
  }
  return domains;
}

eval::EvalSetting describe(const EvalOptions& options, const MaybeModel& model) {
  return {.model = options.model,
          .engine = model ? std::string(model->architecture().name()) : "oracle",
          .data = options.data,
          .seed = options.data.empty() ? std::optional(options.seed) : std::nullopt,
          .threads = thread_count(options.threads),
          .peak_rss_mb = peak_memory_mb()};
}

eval::EvaluationWatch make_watch(StatusLine& status, std::optional<AtomicFile>& errors) {
  eval::EvaluationWatch watch;
  watch.stop = [] { return interrupted() != 0; };
  watch.on_batch = [&status](const eval::Scores& so_far) {
    if (!status.due()) return;
    const eval::Tally total = so_far.total();
    status.show(fmt::format("{} formulas, {} % right", total.formulas,
                            eval::show_percent(total.correct, total.formulas)));
  };
  if (errors) {
    watch.on_failure = [&errors](const eval::Failure& failure) {
      errors->write(service::json_text(eval::to_json(failure)) + "\n");
    };
  }
  return watch;
}

int eval_formulas(const EvalOptions& options) {
  if (!options.engine.oracle() && options.model.empty()) {
    throw Error(ErrorKind::kUsage, "--model is missing", "name a model, or give --engine oracle");
  }
  const MaybeModel model = options.engine.load(options.model, /*threads=*/1);
  const std::vector<const Domain*> domains = choose_domains(options, model);
  std::optional<AtomicFile> errors;
  if (!options.errors.empty()) errors.emplace(options.errors);
  const rewrite::Oracles oracles(all_domains());
  const auto rewriter = [&](const Domain* domain) -> const Rewriter& {
    return model ? model->rewriter() : oracles.of(domain);
  };
  // A model is measured on formulas of the kind that it was trained on, unless told otherwise.
  const FormulaSpace usual = model ? eval::trained_space(model->model()) : FormulaSpace::kWhole;
  const auto ask = [&](const eval::TakeQuestion& take) {
    if (!options.data.empty()) return eval::read_questions(options.data, domains, take);
    for (const Domain* domain : domains) generate(*domain, options, usual, options.threads, take);
  };
  StatusLine status(stderr, errors_are_terminal());
  notice_interrupts();
  const eval::Scores scores =
      eval::evaluate(rewriter, options.threads, make_watch(status, errors), ask);
  status.clear();
  if (errors) errors->commit();
  const eval::EvalSetting setting = describe(options, model);
  nlohmann::ordered_json json = eval::to_json(setting, scores);
  eval::add_origin(json, "nrs " NRS_VERSION, model ? &model->model() : nullptr);
  print(options.json ? service::json_text(json, 2) + "\n" : eval::to_table(setting, scores));
  return scores.interrupted ? 128 + interrupted() : kDone;
}

int run_eval(const EvalOptions& options) {
  if (options.examples.empty()) return eval_formulas(options);
  if (options.model.empty()) throw Error(ErrorKind::kUsage, "--model is missing");
  return eval_examples(options, *options.engine.load(options.model, /*threads=*/1));
}

}  // namespace

void add_eval(CLI::App& app, Action& action) {
  const auto [verb, options] = add_verb<EvalOptions>(app, action, "eval", run_eval);
  verb->add_option("EXAMPLES", options->examples,
                   "file of examples, in any form that nrs learn reads, instead of formulas");
  add_model_option(*verb, options->model);
  add_engine_options(*verb, options->engine);
  add_question_options(*verb, *options, "; default: those the model was trained on");
  verb->add_flag("--json", options->json, "one JSON object");
  verb->add_option("--errors", options->errors,
                   "file for errors: one JSON line per wrong formula, with its first wrong step");
  add_threads_option(*verb, options->threads);
  verb->footer(
      "An answer is right if it is exactly the value. docs/evaluation.md explains the classes of "
      "errors.\n"
      "Ctrl-C ends the evaluation and shows the scores so far.\n"
      "Errors on EXAMPLES are of two classes. leaf: another part was rewritten, or no leaf was "
      "found;\n"
      "value: a leaf got another value, or no value that the model was sure of.\n"
      "example: nrs eval --model logic --nesting 1-12 --count 100 --seed 1");
}

}  // namespace nrs::cli
