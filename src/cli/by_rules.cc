#include "cli/by_rules.h"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "base/files.h"
#include "base/lines.h"
#include "base/text.h"
#include "base/threads.h"
#include "cli/console.h"
#include "cli/given.h"
#include "term/rule_file.h"

namespace nrs::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Question {
  std::string text;
  std::string place{};    // "line 3"; empty for a lone formula
  std::string formula{};  // without superfluous blanks and brackets
  Result result{};
  std::optional<Error> error{};
};

class SimplifyByRules {
 public:
  SimplifyByRules(const RuleRunOptions& options, const RuleAnswers& answers)
      : options_(options), answers_(answers), rewriter_(rule_rewriter(options)) {
    run_.max_steps = options.max_steps;
    run_.keep_rounds = answers.trace;
  }

  int run() {
    const bool stream = answers_.formulas == std::vector<std::string>{"-"};
    std::vector<std::string> formulas = answers_.formulas;
    if (formulas.empty()) formulas = rewriter_.evals();
    if (stream || formulas.empty()) {
      if (!stream && ::isatty(STDIN_FILENO) == 1) {
        throw Error(ErrorKind::kUsage, "no term given", "write it in quotes, or - to type lines");
      }
      run_stream();
    } else {
      run_list(formulas);
    }
    if (failed_) return static_cast<int>(ErrorKind::kInput);
    return stuck_ ? kNotNormal : kDone;
  }

 private:
  static constexpr std::size_t kBatch = 1024;
  static constexpr std::size_t kBatchCharacters = std::size_t{1} << 20;

  void run_list(const std::vector<std::string>& formulas) {
    std::vector<Question> batch(formulas.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      batch[i].text = as_given(formulas[i]);
      if (batch.size() > 1) batch[i].place = fmt::format("term {}", i + 1);
    }
    process(batch);
  }

  void run_stream() {
    LineReader lines("-", kMaxFormulaLength);
    std::vector<Question> batch;
    std::size_t characters = 0;
    std::string line;
    while (lines.next(line)) {
      Question& question = batch.emplace_back();
      question.place = fmt::format("line {}", lines.number());
      if (lines.too_long()) question.error = formula_too_long();
      characters += line.size();
      question.text = std::move(line);
      const bool full = batch.size() >= kBatch || characters >= kBatchCharacters;
      if (!full && lines.more_at_hand()) continue;
      process(batch);
      batch.clear();
      characters = 0;
    }
    process(batch);
  }

  void process(std::vector<Question>& batch) {
    parallel_for(batch.size(), answers_.threads, [&](std::size_t i) { answer(batch[i]); });
    for (const Question& question : batch) {
      output_.write(answers_.json ? in_json(question) : in_text(question));
    }
    output_.flush();
    for (const Question& question : batch) tell(question);
  }

  void answer(Question& question) const {
    if (question.error) return;
    try {
      question.formula = rewriter_.canonical(question.text);
      question.result = rewriter_.rewrite(question.formula, run_);
    } catch (const Error& error) {
      question.error = error;
    }
  }

  // What is not an answer is told on standard error, too.
  void tell(const Question& question) {
    const std::string where = question.place.empty() ? "" : question.place + ": ";
    if (question.error) {
      failed_ = true;
      complain(question.place.empty() ? question.error->line()
                                      : question.error->in(question.place).line());
    } else if (question.result.stop == Stop::kStepLimit) {
      stuck_ = true;
      complain(
          fmt::format("{}no normal form after {} steps (the rules may not terminate on this "
                      "term; --max-steps N allows more)",
                      where, question.result.steps));
    } else if (question.result.stop == Stop::kMemoryLimit) {
      stuck_ = true;
      complain(
          fmt::format("{}no normal form within {} MB of memory, after {} steps (the term grows "
                      "too large; --max-memory N allows more)",
                      where, options_.max_megabytes, question.result.steps));
    }
  }

  static std::string in_text(const Question& question) {
    if (question.error) {
      return question.place.empty() ? "" : fmt::format("error: {}\n", question.error->what());
    }
    const Result& result = question.result;
    if (!result.record.empty()) return traced(question);
    return result.ok() ? result.formula + "\n"
                       : fmt::format("stopped: {}: {}\n", name_of(result.stop), result.formula);
  }

  // Each term on a line, with the rule that led to it.
  static std::string traced(const Question& question) {
    const std::vector<std::string> terms = replay(question.formula, question.result.record);
    std::string text = terms.front() + "\n";
    for (std::size_t i = 1; i < terms.size(); ++i) {
      text += fmt::format("-> {}    by {}\n", terms[i],
                          question.result.record[i - 1].front().origin.rule);
    }
    if (!question.result.ok()) text += fmt::format("stopped: {}\n", name_of(question.result.stop));
    return text;
  }

  std::string in_json(const Question& question) const {
    Json object = {{"formula", question.text}};
    if (question.error) {
      object["error"] = {{"message", question.error->what()}};
      if (question.error->offset()) object["error"]["column"] = *question.error->offset() + 1;
      if (!question.error->hint().empty()) object["error"]["hint"] = question.error->hint();
    } else {
      object["result"] = question.result.formula;
      object["stop"] = name_of(question.result.stop);
      object["steps"] = question.result.steps;
      if (answers_.trace) object["trace"] = trace_json(question);
    }
    return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

  static Json trace_json(const Question& question) {
    const std::vector<std::string> terms = replay(question.formula, question.result.record);
    Json steps = Json::array();
    for (std::size_t i = 0; i < question.result.record.size(); ++i) {
      const Attempt& attempt = question.result.record[i].front();
      steps.push_back({{"formula", terms[i]},
                       {"begin", attempt.step.leaf.begin},
                       {"end", attempt.step.leaf.end},
                       {"redex", attempt.step.leaf.of(terms[i])},
                       {"contractum", attempt.step.value},
                       {"rule", attempt.origin.rule}});
    }
    return steps;
  }

  const RuleRunOptions& options_;
  const RuleAnswers& answers_;
  const rewrite::rules::RuleRewriter rewriter_;
  RunOptions run_;
  StandardOutput output_;
  bool failed_ = false;
  bool stuck_ = false;
};

}  // namespace

rewrite::rules::RuleRewriter rule_rewriter(const RuleRunOptions& options) {
  rewrite::rules::RuleOptions how;
  how.strategy =
      options.strategy == "outermost" ? term::Strategy::kOutermost : term::Strategy::kInnermost;
  if (!options.notation.empty()) how.notation = enum_value<term::Notation>(options.notation);
  how.max_bytes = options.max_megabytes << 20;
  return rewrite::rules::RuleRewriter(term::read_rule_file(options.file), how);
}

int simplify_by_rules(const RuleRunOptions& options, const RuleAnswers& answers) {
  return SimplifyByRules(options, answers).run();
}

}  // namespace nrs::cli
