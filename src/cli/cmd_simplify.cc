// nrs simplify: the normal form of each formula, in order, from arguments or a stream.
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <functional>

#include "base/files.h"
#include "base/lines.h"
#include "cli/answering.h"
#include "cli/options.h"

namespace nrs::cli {
namespace {

using service::Answer;

struct SimplifyOptions : AnsweringOptions {
  int threads = 0;
  std::vector<std::string> formulas;
};

TraceStyle trace_style() {
  TraceStyle style;
  if (::isatty(STDOUT_FILENO) != 1) return style;
  style.colour = std::getenv("NO_COLOR") == nullptr;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) {
    style.width = size.ws_col - 6u;
  }
  return style;
}

bool is_stream(const std::vector<std::string>& formulas) {
  return formulas.empty() || (formulas.size() == 1 && formulas[0] == "-");
}

std::vector<Answer> batch_of(const std::vector<std::string>& formulas) {
  std::vector<Answer> batch(formulas.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    batch[i].text = as_given(formulas[i]);
    if (batch.size() > 1) batch[i].place = fmt::format("formula {}", i + 1);
  }
  return batch;
}

int simplify(const SimplifyOptions& options) {
  std::vector<std::string> formulas = options.formulas;
  // Many formulas keep all threads busy, one to each; a lone one has them for itself.
  const bool lone = formulas.size() == 1 && !is_stream(formulas);
  const service::Answerer answerer = make_answerer(options, lone ? options.threads : 1, formulas);
  if (formulas.empty() && ::isatty(STDIN_FILENO) == 1) {
    throw Error(ErrorKind::kUsage, "no formula given", "write it in quotes, or - to type lines");
  }
  const AnswerText text(options, answerer, trace_style());
  StandardOutput output;
  bool failed = false, stuck = false;
  const auto process = [&](std::vector<Answer>& batch) {
    output.write(answerer.answer(batch, options.threads, std::cref(text)));
    output.flush();
    for (const Answer& answer : batch) {
      if (answer.ok()) continue;
      (answer.error ? failed : stuck) = true;
      const std::string complaint = text.complaint(answer);
      if (!complaint.empty()) complain(complaint);
    }
  };
  if (is_stream(formulas)) {
    LineReader lines("-", kMaxFormulaLength);
    service::for_each_batch(lines, 0, process);
  } else {
    std::vector<Answer> batch = batch_of(formulas);
    process(batch);
  }
  if (failed) return static_cast<int>(ErrorKind::kInput);
  return stuck ? kNotNormal : kDone;
}

}  // namespace

void add_simplify(CLI::App& app, Action& action) {
  const auto [verb, options] = add_verb<SimplifyOptions>(app, action, "simplify", simplify);
  verb->add_option("FORMULA", options->formulas,
                   "formulas in quotes; with - or none, each line of standard input is a formula");
  add_answering_options(*verb, *options);
  add_threads_option(*verb, options->threads);
  verb->footer(
      "Answers come in the order of the input. A malformed formula or a blank line gets an error "
      "entry\n"
      "in its place, and the others are still answered.\n"
      "exit status: 0 all final, 3 some formula was bad, 4 some did not reach a normal form\n"
      "example: nrs simplify --trace '((15+5)*(3-4))'\n"
      "         nrs simplify --rules peano.trs --trace 'plus(s(0),s(0))'");
}

}  // namespace nrs::cli
