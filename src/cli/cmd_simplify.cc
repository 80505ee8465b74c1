// nrs simplify: the normal form of each formula, in order, from arguments or a stream.
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <functional>
#include <memory>

#include "base/files.h"
#include "base/lines.h"
#include "cli/answering.h"
#include "cli/given.h"
#include "cli/options.h"
#include "service/line_batches.h"

namespace nrs::cli {
namespace {

using service::Answer;
using service::Answerer;

struct SimplifyOptions : AnsweringOptions {
  int threads = 0;
  std::vector<std::string> formulas;

  bool stream() const { return formulas.empty() || (formulas.size() == 1 && formulas[0] == "-"); }
};

Answerer make_answerer(SimplifyOptions& options) {
  // Many formulas keep all threads busy, one to each; a lone one has them for itself.
  const bool lone = options.formulas.size() == 1 && !options.stream();
  return make_answerer(options, lone ? options.threads : 1, options.formulas);
}

TraceStyle trace_style() {
  TraceStyle style;
  if (!output_is_terminal()) return style;
  style.colour = std::getenv("NO_COLOR") == nullptr;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) {
    style.width = size.ws_col - 6u;
  }
  return style;
}

class Simplify {
 public:
  explicit Simplify(const SimplifyOptions& options)
      : options_(options),
        answerer_(make_answerer(options_)),
        text_(options_, answerer_, trace_style()) {}

  int run() {
    if (options_.formulas.empty() && ::isatty(STDIN_FILENO) == 1) {
      throw Error(ErrorKind::kUsage, "no formula given", "write it in quotes, or - to type lines");
    }
    options_.stream() ? run_stream() : run_arguments();
    if (failed_) return static_cast<int>(ErrorKind::kInput);
    return stuck_ ? kNotNormal : kDone;
  }

 private:
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
    service::for_each_batch(lines, 0, [this](std::vector<Answer>& batch) { process(batch); });
  }

  void process(std::vector<Answer>& batch) {
    output_.write(answerer_.answer(batch, options_.threads, std::cref(text_)));
    output_.flush();
    for (const Answer& answer : batch) {
      if (answer.ok()) continue;
      (answer.error ? failed_ : stuck_) = true;
      const std::string complaint = text_.complaint(answer);
      if (!complaint.empty()) complain(complaint);
    }
  }

  SimplifyOptions options_;
  Answerer answerer_;
  AnswerText text_;
  StandardOutput output_;
  bool failed_ = false;
  bool stuck_ = false;
};

}  // namespace

void add_simplify(CLI::App& app, Action& action) {
  auto options = std::make_shared<SimplifyOptions>();
  CLI::App* verb = app.add_subcommand("simplify", "print the normal form of each formula");
  verb->add_option("FORMULA", options->formulas,
                   "formulas, in quotes; with - or none, each line of standard input is one");
  add_answering_options(*verb, *options);
  add_threads_option(*verb, options->threads);
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
