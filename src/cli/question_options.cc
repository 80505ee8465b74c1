#include "cli/question_options.h"

#include <CLI/CLI.hpp>

#include "cli/models.h"
#include "cli/options.h"
#include "data/paper_counts.h"

namespace nrs::cli {
namespace {

constexpr int kMostFormulas = 1'000'000'000;

}  // namespace

void add_question_options(CLI::App& verb, QuestionOptions& options, const std::string& no_domain) {
  auto* data = verb.add_option("--data", options.data,
                               "CSV file with columns X (formula) and Y (value), or - for standard "
                               "input; default: formulas are generated");
  verb.add_option("--domain", options.domain, domain_names() + no_domain);
  const auto generated = [&](CLI::Option* option) { option->excludes(data); };
  generated(verb.add_option("--nesting", options.nesting,
                            "bracket depth, such as 3 or 1-6; default: the paper's test levels"));
  generated(verb.add_option(
      "--args", options.args,
      "arguments of each operator, such as 3 or 2-4; default: all numbers that the domain allows"));
  generated(verb.add_option("--space", options.space,
                            "whole: every kind of formula; paper: only the kinds that the paper's "
                            "generator makes; default: what the model was trained on")
                ->check(CLI::IsMember({"whole", "paper"})));
  generated(verb.add_option("--count", options.count, "distinct formulas per nesting level")
                ->check(CLI::Range(1, kMostFormulas)));
  generated(verb.add_option("--seed", options.seed,
                            "random seed; nrs generate makes the same formulas with it"));
}

void generate(const Domain& domain, const QuestionOptions& options, FormulaSpace usual, int threads,
              const eval::TakeQuestion& take) {
  const IntRange nesting = options.nesting.empty()
                               ? IntRange{1, data::paper_counts(domain).test_to}
                               : parse_range(options.nesting, "--nesting", {0, 1 << 24});
  const IntRange all_args{2, domain.most_args()};
  const IntRange args =
      options.args.empty() ? all_args : parse_range(options.args, "--args", all_args);
  data::SeenTexts seen;
  for (int level = nesting.from; level <= nesting.to; ++level) {
    eval::generate_questions(domain,
                             {.nesting = level,
                              .args_from = args.from,
                              .args_to = args.to,
                              .space = options.space.empty()      ? usual
                                       : options.space == "paper" ? FormulaSpace::kPaper
                                                                  : FormulaSpace::kWhole,
                              .count = options.count,
                              .seed = options.seed,
                              .threads = threads},
                             seen, take);
  }
}

}  // namespace nrs::cli
