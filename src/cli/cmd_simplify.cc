// nrs simplify: the normal form of each formula, in order, from arguments or a stream.
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/files.h"
#include "base/lines.h"
#include "base/text.h"
#include "base/threads.h"
#include "cli/models.h"
#include "cli/options.h"
#include "cli/trace.h"
#include "nrs/domain.h"
#include "nrs/engine.h"
#include "nrs/error.h"
#include "rewrite/oracle.h"
#include "runtime/running_model.h"

namespace nrs {
namespace {

using Json = nlohmann::ordered_json;

struct SimplifyOptions {
  std::string engine;  // empty: fastnrs if there is a model, else oracle
  std::string model;
  std::string domain;
  std::string leaves = "all";
  bool trace = false;
  bool json = false;
  bool paper_notation = false;
  int threads = 0;
  std::vector<std::string> formulas;
};

// One formula and what has become of it.
struct Item {
  std::string text;
  std::string place;  // "line 3"; empty for a lone formula
  ReadFormula input;
  Result result;
  std::optional<Error> error;
};

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) return size.ws_col - 6u;
  return TraceStyle{}.width;
}

class Simplify {
 public:
  explicit Simplify(const SimplifyOptions& options) : options_(options) {
    if (!options.domain.empty()) domain_ = &find_domain(options.domain);
    engine_options_.leaves = options.leaves == "last" ? Leaves::kLast : Leaves::kAll;
    engine_options_.keep_rounds = options.trace;
    load_model_if_wanted();
    style_.colour = output_is_terminal() && std::getenv("NO_COLOR") == nullptr;
    style_.width = output_is_terminal() ? terminal_width() : style_.width;
  }

  int run() {
    const auto& formulas = options_.formulas;
    const bool stream = formulas.empty() || (formulas.size() == 1 && formulas[0] == "-");
    if (formulas.empty() && ::isatty(STDIN_FILENO) == 1) {
      throw Error(ErrorKind::kUsage, "no formula given", "write it in quotes, or - to type lines");
    }
    stream ? run_stream() : run_arguments();
    if (failed_) return static_cast<int>(ErrorKind::kInput);
    return stuck_ ? kNotNormal : kDone;
  }

 private:
  void load_model_if_wanted() {
    const bool wanted =
        options_.engine == "fastnrs" || (options_.engine.empty() && !options_.model.empty());
    if (wanted != !options_.model.empty()) {
      throw Error(ErrorKind::kUsage,
                  wanted ? "--engine fastnrs needs a --model" : "--engine oracle takes no --model");
    }
    if (!wanted) return;
    // Many formulas keep all threads busy, one to each; a lone one has them for itself.
    const bool lone = options_.formulas.size() == 1 && options_.formulas[0] != "-";
    model_.emplace(RunningModel::load(find_model(options_.model), lone ? options_.threads : 1));
    engine_options_ = model_->calibrated(engine_options_);
  }

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
      if (lines.too_long()) item.error = formula_too_long();
      // A formula that is too long is not repeated in the error entry.
      item.text = lines.too_long() ? line.substr(0, 100) + "..." : line;
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
    parallel_for(pieces, options_.threads, [&](std::size_t piece) {
      const std::size_t from = piece * kPiece;
      const std::span<Item> items =
          std::span(batch).subspan(from, std::min(kPiece, batch.size() - from));
      answer(items);
      for (const Item& item : items) texts[piece] += show(item);
    });
    for (const std::string& text : texts) output_.write(text);
    output_.flush();
    for (const Item& item : batch) {
      if (item.error)
        report(item);
      else
        stuck_ = stuck_ || !item.result.ok();
    }
  }

  void report(const Item& item) {
    failed_ = true;
    complain(item.place.empty() ? item.error->line() : item.error->in(item.place).line());
  }

  void answer(std::span<Item> items) const {
    std::map<const Domain*, std::vector<Item*>> by_domain;
    for (Item& item : items) {
      if (item.error) continue;
      try {
        item.input = domain_ != nullptr ? ReadFormula{domain_, domain_->read(item.text)}
                                        : read_in_any_domain(item.text);
        if (model_) model_->selector().check_known(item.input.formula);
        by_domain[item.input.domain].push_back(&item);
      } catch (const Error& error) {
        item.error = error;
      }
    }
    for (const auto& [domain, members] : by_domain) {
      std::vector<std::string_view> formulas;
      for (const Item* item : members) formulas.push_back(item->input.formula);
      std::vector<Result> results = run_engine(*domain, formulas);
      for (std::size_t i = 0; i < members.size(); ++i) members[i]->result = std::move(results[i]);
    }
  }

  std::vector<Result> run_engine(const Domain& domain,
                                 std::span<const std::string_view> formulas) const {
    if (model_) return Engine(model_->selector(), model_->solver(), engine_options_).run(formulas);
    const OracleSelector selector(domain);
    const OracleSolver solver(domain);
    return Engine(selector, solver, engine_options_).run(formulas);
  }

  std::string notation(const Item& item, std::string_view formula) const {
    return options_.paper_notation ? item.input.domain->paper_notation(formula)
                                   : std::string(formula);
  }

  std::string show(const Item& item) const {
    if (options_.json) return show_json(item) + "\n";
    if (item.error) {
      // Alone it needs no line of its own among the answers: the complaint says it all.
      return item.place.empty() ? "" : fmt::format("error: {}\n", item.error->what());
    }
    if (options_.trace) return draw_trace(item.input.formula, item.result, style_);
    const std::string formula = notation(item, item.result.formula);
    return item.result.ok() ? formula + "\n"
                            : fmt::format("stopped: {}: {}\n", name_of(item.result.stop), formula);
  }

  std::string show_json(const Item& item) const {
    Json object = {{"formula", item.text}};
    if (item.error) {
      object["error"] = {{"message", item.error->what()}};
      if (item.error->offset()) object["error"]["column"] = *item.error->offset() + 1;
      if (!item.error->hint().empty()) object["error"]["hint"] = item.error->hint();
    } else {
      object["domain"] = item.input.domain->name();
      object["result"] = notation(item, item.result.formula);
      object["stop"] = name_of(item.result.stop);
      object["steps"] = item.result.steps;
      object["rounds"] = item.result.rounds;
      if (options_.trace) object["trace"] = json_trace(item);
    }
    return object.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  static Json json_trace(const Item& item) {
    const std::vector<std::string> formulas = replay(item.input.formula, item.result.record);
    Json rounds = Json::array();
    for (std::size_t i = 0; i < item.result.record.size(); ++i) {
      const std::string& formula = formulas[std::min(i, formulas.size() - 1)];
      Json steps = Json::array();
      for (const Attempt& attempt : item.result.record[i]) {
        steps.push_back({{"begin", attempt.step.leaf.begin},
                         {"end", attempt.step.leaf.end},
                         {"leaf", attempt.step.leaf.of(formula)},
                         {"value", attempt.step.value},
                         {"applied", attempt.applied}});
      }
      rounds.push_back({{"formula", formula}, {"steps", std::move(steps)}});
    }
    return rounds;
  }

  const SimplifyOptions& options_;
  const Domain* domain_ = nullptr;
  std::optional<RunningModel> model_;
  EngineOptions engine_options_;
  TraceStyle style_;
  StandardOutput output_;
  bool failed_ = false;
  bool stuck_ = false;
};

}  // namespace

void add_simplify(CLI::App& app, Action& action) {
  auto options = std::make_shared<SimplifyOptions>();
  CLI::App* verb = app.add_subcommand("simplify", "print the normal form of each formula");
  verb->add_option("FORMULA", options->formulas,
                   "formulas; - or none reads them from standard input, one per line");
  verb->add_option("--model", options->model, "a name, such as multi, or the file of a model");
  verb->add_option("--engine", options->engine,
                   "fastnrs: the model, every leaf in each round; oracle: exact, no model")
      ->check(CLI::IsMember({"fastnrs", "oracle"}));
  verb->add_option("--domain", options->domain,
                   "logic, listops, arithmetic or algebra; else told from the formula");
  verb->add_option("--leaves", options->leaves,
                   "all: every leaf in each round; last: the last leaf in each step")
      ->check(CLI::IsMember({"all", "last"}))
      ->capture_default_str();
  verb->add_flag("--trace", options->trace, "show each round with the rewritten leaves marked");
  verb->add_flag("--json", options->json, "one JSON object per formula");
  verb->add_flag("--paper-notation", options->paper_notation,
                 "answer in the paper's notation: AND, OR, NOT, True, False");
  verb->add_option("--threads", options->threads, "threads; 0 uses every core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  verb->footer(
      "A bad formula gets an error entry in its place, and the others are still answered.\n"
      "exit status: 0 all final, 3 some formula was bad, 4 some did not reach a normal form\n"
      "example: nrs simplify --engine oracle --trace '((15+5)*(3-4))'");
  verb->callback([options, &action] { action = [options] { return Simplify(*options).run(); }; });
}

}  // namespace nrs
