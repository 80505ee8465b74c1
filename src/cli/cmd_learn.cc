// nrs learn: a rewriting system from worked examples.
#include <CLI/CLI.hpp>

#include "cli/learn.h"
#include "cli/options.h"

namespace nrs::cli {

void add_learn(CLI::App& app, Action& action) {
  const auto [verb, options] = add_verb<LearnOptions>(
      app, action, "learn", [](const LearnOptions& given) { return learn(given); });
  verb->add_option(
          "EXAMPLES", options->examples,
          "file of examples: chains t0 -> t1 -> ... -> tn, questions with answers, CSV, TSV or "
          "JSON lines; - is standard input. Or a model made by nrs learn, to continue its training")
      ->required();
  verb->add_option("--more", options->more,
                   "further examples to learn from; EXAMPLES is then a model made by nrs learn, "
                   "which is replaced unless --out names another file")
      ->type_name("FILE");
  verb->add_option(
      "--out", options->out,
      "file for the model; default: the name of the examples with .nrs. A file that ends in "
      ".rules, .txt, .trs, .ari, .rec or .maude gets the rules in our text form");
  verb->add_option(
          "--kind", options->kind,
          "whether pairs of formulas are steps, or questions with answers; auto detects it")
      ->check(CLI::IsMember({"auto", "steps", "answers"}));
  verb->add_option("--architecture", options->architecture,
                   "rules: rules with variables, for terms; patterns: patterns of leaves, for any "
                   "text; fastnrs: networks trained on the leaves that patterns find; default: "
                   "rules or patterns, whichever fits the examples")
      ->check(CLI::IsMember({kLearnRules, kLearnPatterns, kLearnNetworks}));
  verb->add_option("--minutes", options->minutes,
                   "approximate time to train a Solver, if values have to be computed")
      ->check(CLI::Range(0.01, 1e5));
  verb->add_option("--threads", options->threads, "threads for this training")
      ->check(CLI::Range(1, 1024));
  verb->add_option("--seed", options->seed,
                   "random seed; the same seed and examples give the same model")
      ->check(CLI::Range(0, 2'147'483'647));
  verb->add_flag("--json", options->json, "what was learned, as one JSON object");
  verb->footer(
      "The last formula of a chain is final, unless the line ends in -> ... ; so is a formula "
      "alone on a line.\n"
      "From terms such as f(a,g(b)), nrs learns rules with variables. It shows the steps that each "
      "explains,\n"
      "and for each guess a term that would decide it. From other text it learns patterns of "
      "leaves, and\n"
      "measures them on the longest tenth of the examples. A Solver learns values that have to be "
      "computed.\n"
      "example: nrs learn chains.txt --out mine.nrs");
}

}  // namespace nrs::cli
