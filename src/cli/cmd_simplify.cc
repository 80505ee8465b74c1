// nrs simplify: the normal form of each formula, in order, from arguments or a stream.
#include "cli/cmd_simplify.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <memory>
#include <new>

#include "base/files.h"
#include "base/lines.h"
#include "base/text.h"
#include "base/threads.h"
#include "cli/engine_options.h"
#include "cli/given.h"
#include "cli/options.h"
#include "cli/rule_options.h"

namespace nrs {
namespace {

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) return size.ws_col - 6u;
  return TraceStyle{}.width;
}

class Simplify {
 public:
  explicit Simplify(const SimplifyOptions& options) : options_(options), answerer_(options) {
    style_.colour = output_is_terminal() && std::getenv("NO_COLOR") == nullptr;
    style_.width = output_is_terminal() ? terminal_width() : style_.width;
    style_.threshold = answerer_.threshold();
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
  static constexpr std::size_t kPiece = 64;  // formulas that one thread takes at a time

  void run_arguments() {
    std::vector<Item> batch(options_.formulas.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      batch[i].text = as_given(options_.formulas[i]);
      if (batch.size() > 1) batch[i].place = fmt::format("formula {}", i + 1);
    }
    process(batch);
  }

  void run_stream() {
    LineReader lines("-", kMaxFormulaLength);
    std::vector<Item> batch;
    std::size_t characters = 0;
    std::string line;
    while (lines.next(line)) {
      Item& item = batch.emplace_back();
      item.place = fmt::format("line {}", lines.number());
      item.text = std::move(line);
      if (lines.no_memory()) {
        fail(item, Error(ErrorKind::kInput, "there is not enough memory for this formula"));
      } else if (lines.too_long()) {
        fail(item, formula_too_long());
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

  void process(std::vector<Item>& batch) {
    const std::size_t pieces = (batch.size() + kPiece - 1) / kPiece;
    std::vector<std::string> texts(pieces);
    std::vector<char> starved(pieces);
    const auto items_of = [&](std::size_t piece) {
      const std::size_t from = piece * kPiece;
      return std::span(batch).subspan(from, std::min(kPiece, batch.size() - from));
    };
    parallel_for(pieces, options_.threads, [&](std::size_t piece) {
      try {
        texts[piece] = answer(items_of(piece));
      } catch (const std::bad_alloc&) {
        starved[piece] = 1;
      }
    });
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      if (starved[piece] == 0) continue;
      for (Item& item : items_of(piece)) forget(item);
    }
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      if (starved[piece] != 0) texts[piece] = answer_one_by_one(items_of(piece));
    }
    for (const std::string& text : texts) output_.write(text);
    output_.flush();
    for (const Item& item : batch) {
      if (item.error)
        report(item);
      else
        stuck_ = stuck_ || !item.result.ok();
    }
  }

  std::string answer(std::span<Item> items) const {
    answerer_.answer(items);
    std::string text;
    for (const Item& item : items) text += show(item);
    return text;
  }

  // Memory was short for formulas together. Alone, most of them have enough of it; one that has not
  // is an error in its place, and the others are answered.
  std::string answer_one_by_one(std::span<Item> items) const {
    std::string text;
    for (Item& item : items) {
      try {
        text += answer(std::span(&item, 1));
      } catch (const std::bad_alloc&) {
        forget(item);
        fail(item, Error(ErrorKind::kInput,
                         fmt::format("there is not enough memory for this formula of {} characters",
                                     item.text.size())));
        text += show(item);
      }
    }
    return text;
  }

  // What has become of it.
  static void forget(Item& item) {
    item.formula = {};
    item.result = {};
  }

  // A formula that is too long for us is not repeated in the error entry.
  static void fail(Item& item, Error error) {
    constexpr std::size_t kShown = 100;
    item.text = item.text.substr(0, kShown) + "...";
    item.error = std::move(error);
  }

  std::string show(const Item& item) const {
    return options_.json ? show_json(item, options_, style_.threshold)
                         : show_text(item, options_, style_);
  }

  void report(const Item& item) {
    failed_ = true;
    complain(item.place.empty() ? item.error->line() : item.error->in(item.place).line());
  }

  const SimplifyOptions& options_;
  Answerer answerer_;
  TraceStyle style_;
  StandardOutput output_;
  bool failed_ = false;
  bool stuck_ = false;
};

}  // namespace

void add_simplify(CLI::App& app, Action& action) {
  auto options = std::make_shared<SimplifyOptions>();
  auto by_rules = std::make_shared<RuleRunOptions>();
  CLI::App* verb = app.add_subcommand("simplify", "print the normal form of each formula");
  verb->add_option("FORMULA", options->formulas,
                   "formulas, in quotes; with - or none, each line of standard input is one");
  verb->add_option("--model", options->model,
                   "name of a model, such as arithmetic (nrs info lists them), or its file; "
                   "default: multi");
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
  add_rule_options(*verb, *by_rules);
  verb->footer(
      "Every formula gets one answer, in order, and so does every line: a bad formula or a blank "
      "line\n"
      "gets an error entry in its place, and the others are still answered.\n"
      "exit status: 0 all final, 3 some formula was bad, 4 some did not reach a normal form\n"
      "example: nrs simplify --trace '((15+5)*(3-4))'\n"
      "         nrs simplify --rules peano.trs --trace 'plus(s(0),s(0))'");
  verb->callback([options, by_rules, &action] {
    action = [options, by_rules] {
      if (!by_rules->given()) return Simplify(*options).run();
      return simplify_by_rules(*by_rules, {.formulas = options->formulas,
                                           .trace = options->trace,
                                           .json = options->json,
                                           .threads = options->threads});
    };
  });
}

}  // namespace nrs
