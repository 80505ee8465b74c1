// nrs eval: how many formulas come to their value, level by level, and what goes wrong with others.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/files.h"
#include "base/process.h"
#include "base/status_line.h"
#include "base/threads.h"
#include "cli/engine_options.h"
#include "cli/eval_examples.h"
#include "cli/options.h"
#include "cli/other_verbs.h"
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

struct EvalOptions : QuestionOptions {
  std::string model;
  std::string examples;  // a file for nrs learn, instead of formulas
  EngineChoice engine;
  bool json = false;
  std::string errors;
  int threads = 0;
};

class Eval {
 public:
  explicit Eval(const EvalOptions& options) : options_(options) {
    if (!options.engine.oracle() && options.model.empty()) {
      throw Error(ErrorKind::kUsage, "--model is missing", "name a model, or give --engine oracle");
    }
    if (options.engine.oracle() && !options.model.empty()) {
      throw Error(ErrorKind::kUsage, "--engine oracle uses no model: leave out --model");
    }
    if (!options.model.empty()) {
      model_.emplace(options.engine.load(options.model, /*threads=*/1));
    }
    choose_domains();
    if (!options.errors.empty()) errors_ = std::make_unique<AtomicFile>(options.errors);
  }

  int run() {
    const rewrite::Oracles oracles(all_domains());
    const auto rewriter = [&](const Domain* domain) -> const Rewriter& {
      return model_ ? model_->rewriter() : oracles.of(domain);
    };
    eval::EvaluationWatch watch;
    watch.stop = [] { return interrupted() != 0; };
    watch.on_batch = [this](const eval::Scores& so_far) { show_progress(so_far); };
    if (errors_) watch.on_failure = [this](const eval::Failure& failure) { write(failure); };
    notice_interrupts();
    const eval::Scores scores = eval::evaluate(
        rewriter, options_.threads, watch, [this](const eval::TakeQuestion& take) { ask(take); });
    status_.clear();
    if (errors_) errors_->commit();
    const eval::EvalSetting setting = describe();
    print(options_.json ? as_json(setting, scores) : eval::to_table(setting, scores));
    return scores.interrupted ? 128 + interrupted() : kDone;
  }

 private:
  static std::string dump(const nlohmann::ordered_json& json, int indent) {
    return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  }

  std::string as_json(const eval::EvalSetting& setting, const eval::Scores& scores) const {
    nlohmann::ordered_json object = eval::to_json(setting, scores);
    eval::add_origin(object, "nrs " NRS_VERSION, model_ ? &model_->model() : nullptr);
    return dump(object, 2);
  }

  // A model is measured on formulas of the kind that it was trained on, unless told otherwise.
  FormulaSpace usual_space() const {
    return model_ ? eval::trained_space(model_->model()) : FormulaSpace::kWhole;
  }

  std::string engine() const {
    return model_ ? std::string(model_->architecture().name()) : "oracle";
  }

  // Those that formulas are drawn from or read by. A model of someone's own system has none.
  void choose_domains() {
    if (!options_.domain.empty()) {
      domains_ = {&find_domain(options_.domain)};
    } else if (model_) {
      domains_ = eval::domains_of(model_->model());
    } else {
      domains_.assign(all_domains().begin(), all_domains().end());
    }
    if (options_.data.empty() && (domains_.empty() || (!model_ && options_.domain.empty()))) {
      throw Error(ErrorKind::kUsage, "it is not known which formulas to ask",
                  "name a domain with --domain, or a file with --data");
    }
    if (!model_) return;
    for (const Domain* domain : domains_) {
      if (!reads_all(model_->rewriter().tokens(), domain->alphabet())) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("model '{}' does not know all characters of domain {}",
                                options_.model, domain->name()));
      }
    }
  }

  void ask(const eval::TakeQuestion& take) {
    if (!options_.data.empty()) return eval::read_questions(options_.data, domains_, take);
    for (const Domain* domain : domains_) {
      generate(*domain, options_, usual_space(), options_.threads, take);
    }
  }

  void show_progress(const eval::Scores& so_far) {
    if (!status_.due()) return;
    const eval::Tally total = so_far.total();
    status_.show(fmt::format("{} formulas, {} % right", total.formulas,
                             eval::show_percent(total.correct, total.formulas)));
  }

  void write(const eval::Failure& failure) { errors_->write(dump(eval::to_json(failure), -1)); }

  eval::EvalSetting describe() const {
    eval::EvalSetting setting;
    setting.model = options_.model;
    setting.engine = engine();
    setting.data = options_.data;
    if (options_.data.empty()) setting.seed = options_.seed;
    setting.threads = thread_count(options_.threads);
    setting.peak_rss_mb = peak_memory_mb();
    return setting;
  }

  const EvalOptions& options_;
  std::optional<architectures::RunningModel> model_;
  std::vector<const Domain*> domains_;
  std::unique_ptr<AtomicFile> errors_;
  StatusLine status_{stderr, errors_are_terminal()};
};

int run_eval(const EvalOptions& options) {
  if (options.examples.empty()) return Eval(options).run();
  if (options.model.empty()) throw Error(ErrorKind::kUsage, "--model is missing");
  return eval_examples({.model = options.model,
                        .examples = options.examples,
                        .errors = options.errors,
                        .threads = options.threads,
                        .json = options.json},
                       options.engine.load(options.model, /*threads=*/1));
}

}  // namespace

void add_eval(CLI::App& app, Action& action) {
  auto options = std::make_shared<EvalOptions>();
  CLI::App* verb = app.add_subcommand(kEvalVerb.name, kEvalVerb.purpose);
  verb->add_option("EXAMPLES", options->examples,
                   "a file of examples, in any form that nrs learn reads, instead of formulas");
  verb->add_option("--model", options->model, "name of a model (nrs info lists them), or its file");
  add_engine_options(*verb, options->engine);
  add_question_options(*verb, *options, "; default: those the model was trained on");
  verb->add_flag("--json", options->json, "one JSON object");
  verb->add_option(
      "--errors", options->errors,
      "file for what went wrong: a JSON line for each such formula, with its first wrong "
      "step");
  add_threads_option(*verb, options->threads);
  verb->footer(
      "Right is the whole answer, exactly. docs/evaluation.md explains the classes of errors.\n"
      "Ctrl-C ends the evaluation and shows the scores so far.\n"
      "Of examples, leaf: another part was rewritten, or none was found; value: a leaf became\n"
      "something else, or has no sure value: nrs eval --model MODEL EXAMPLES\n"
      "example: nrs eval --model logic --nesting 1-12 --count 100 --seed 1");
  verb->callback([options, &action] { action = [options] { return run_eval(*options); }; });
}

}  // namespace nrs::cli
