// nrs generate: formulas of a domain with their values, or with their whole derivations.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/rng.h"
#include "cli/models.h"
#include "cli/options.h"
#include "data/csv.h"
#include "data/distinct.h"
#include "data/example.h"
#include "data/trace_file.h"
#include "nrs/domain.h"
#include "nrs/error.h"

namespace nrs::cli {
namespace {

struct GenerateOptions {
  std::string domain;
  std::string nesting = "1";
  std::string args;
  std::string space = "whole";
  std::size_t count = 10;
  std::uint64_t seed = 0;
  bool steps = false;
  std::string format = "csv";
  bool paper_notation = false;
  std::string out;
  int threads = 0;
};

class Generate {
 public:
  explicit Generate(const GenerateOptions& options)
      : options_(options), domain_(find_domain(options.domain)), output_(options.out) {}

  int run() {
    const IntRange nesting = parse_range(options_.nesting, "--nesting", {0, 1 << 24});
    const IntRange all_args{2, domain_.most_args()};
    const IntRange args =
        options_.args.empty() ? all_args : parse_range(options_.args, "--args", all_args);
    data::check_length(domain_, {nesting.to, args.to});  // before anything is written
    if (!json()) output_.write(options_.steps ? "formula,next\n" : "X,Y,nesting,num_operands\n");
    for (int level = nesting.from; level <= nesting.to; ++level) run_level(level, args);
    output_.commit();
    return kDone;
  }

 private:
  bool json() const { return options_.format == "jsonl"; }

  // `count` formulas of one level, in equal parts for each number of arguments.
  void run_level(int level, IntRange args) {
    const std::size_t made = data::draw_level(
        domain_,
        {.nesting = level,
         .args_from = args.from,
         .args_to = args.to,
         .space = options_.space == "paper" ? FormulaSpace::kPaper : FormulaSpace::kWhole,
         .count = options_.count,
         .seed = options_.seed,
         .threads = options_.threads},
        seen_, [&](const Sample& sample, const Shape& shape) { write(sample, shape); });
    if (made < options_.count) {
      complain(fmt::format("nesting {}: {} formulas instead of {}; no more exist", level, made,
                           options_.count));
    }
  }

  std::string shown(std::string_view formula) const {
    return options_.paper_notation ? domain_.paper_notation(formula) : std::string(formula);
  }

  void write(const Sample& sample, const Shape& shape) {
    line_.clear();
    if (options_.steps) {
      json() ? add_rounds(sample) : add_last_leaf_steps(sample);
    } else if (json()) {
      const nlohmann::ordered_json object = {{"formula", shown(sample.formula)},
                                             {"value", shown(sample.value)},
                                             {"nesting", shape.nesting},
                                             {"args", shape.args}};
      line_ = object.dump() + "\n";
    } else {
      line_ += shown(sample.formula);
      line_ += ',';
      line_ += shown(sample.value);
      fmt::format_to(std::back_inserter(line_), ",{},{}\n", shape.nesting, shape.args);
    }
    output_.write(line_);
  }

  // What a FastNRS does: all leaves of each round, then the mark that the value is final.
  void add_rounds(const Sample& sample) {
    data::RewriteExample example = data::make_example(domain_, sample.formula);
    while (true) {
      line_ += data::to_json_line(example) + "\n";
      if (example.final) return;
      example = data::make_example(domain_, combine(example.formula, example.steps));
    }
  }

  // What an NRS does: the last leaf of each formula.
  void add_last_leaf_steps(const Sample& sample) {
    std::string formula = sample.formula;
    while (!domain_.is_atom(formula)) {
      line_ += formula + ",";
      data::rewrite_last(domain_, 1, /*merge_signs=*/false, formula);
      line_ += formula + "\n";
    }
    line_ += formula + ",\n";
  }

  const GenerateOptions& options_;
  const Domain& domain_;
  Output output_;
  data::SeenTexts seen_;
  std::string line_;
};

}  // namespace

void add_generate(CLI::App& app, Action& action) {
  const auto [verb, options] = add_verb<GenerateOptions>(
      app, action, "generate", [](const GenerateOptions& given) { return Generate(given).run(); });
  verb->add_option("DOMAIN", options->domain, domain_names())->required();
  verb->add_option("--nesting", options->nesting, "bracket depth, such as 3 or 1-6; 0 makes atoms");
  verb->add_option(
      "--args", options->args,
      "arguments of each operator, such as 3 or 2-4; default: all numbers that the domain allows");
  verb->add_option(
          "--space", options->space,
          "whole: every kind of formula; paper: only the kinds that the paper's generator makes")
      ->check(CLI::IsMember({"whole", "paper"}));
  verb->add_option("--count", options->count, "distinct formulas per nesting level");
  verb->add_option("--seed", options->seed,
                   "random seed; the same seed gives the same formulas on every machine");
  verb->add_flag("--steps", options->steps,
                 "write whole derivations instead of values; a csv row rewrites the last leaf, a "
                 "jsonl step rewrites all leaves");
  verb->add_option("--format", options->format, "csv or jsonl")
      ->check(CLI::IsMember({"csv", "jsonl"}));
  verb->add_flag("--paper-notation", options->paper_notation,
                 "write formulas in the paper's notation: AND, OR, NOT, True, False")
      ->excludes("--steps");
  verb->add_option("--out", options->out, "file to write; default: standard output");
  add_threads_option(*verb, options->threads);
  verb->footer("example: nrs generate arithmetic --nesting 1-3 --count 100 --seed 7");
}

}  // namespace nrs::cli
