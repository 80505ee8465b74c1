// nrs learn: a rewriting system from worked examples.
#include <CLI/CLI.hpp>

#include "cli/learn.h"
#include "cli/options.h"

namespace nrs::cli {

void add_learn(CLI::App& app, Action& action) {
  const auto [verb, options] = add_verb<LearnOptions>(
      app, action, "learn", [](const LearnOptions& given) { return learn(given); });
  verb->add_option("EXAMPLES", options->examples,
                   "file of examples: chains t0 -> t1 -> ... -> tn, questions with answers, CSV, "
                   "TSV or JSON lines; - is standard input; or a model of nrs learn, which goes on")
      ->required();
  verb->add_option("--more", options->more,
                   "further examples for a model: EXAMPLES is the model, and what it becomes takes "
                   "its place unless --out names another file")
      ->type_name("FILE");
  verb->add_option("--out", options->out,
                   "file for the model, which simplify --model runs; default: the name of the "
                   "examples with .nrs. Rules can also go to a file that ends in .rules, .txt, "
                   ".trs, .ari, .rec or .maude, in our text form");
  verb->add_option("--kind", options->kind, "what pairs of formulas are; auto finds out")
      ->check(CLI::IsMember({"auto", "steps", "answers"}));
  verb->add_option("--architecture", options->architecture,
                   "rules: rules with variables, of terms; patterns: leaves of any text; fastnrs: "
                   "networks that are trained on the leaves that patterns find; default: rules or "
                   "patterns, whichever fits the examples")
      ->check(CLI::IsMember({kLearnRules, kLearnPatterns, kLearnNetworks}));
  verb->add_option("--minutes", options->minutes,
                   "about how long a Solver may be trained, if values have to be computed")
      ->check(CLI::Range(0.01, 1e5));
  verb->add_option("--threads", options->threads, "threads of that training")
      ->check(CLI::Range(1, 1024));
  verb->add_option("--seed", options->seed, "same seed and examples, same model")
      ->check(CLI::Range(0, 2'147'483'647));
  verb->add_flag("--json", options->json, "what was learned, as one JSON object");
  verb->footer(
      "The last formula of a chain is final, unless the line ends in -> ... ; a line of one "
      "formula "
      "is final.\n"
      "Terms, f(a,g(b)) and the like, give rules with variables, each with the steps that it "
      "explains, and\n"
      "guesses with the term that would decide. Other text gives patterns of leaves, measured on "
      "the "
      "longest\n"
      "tenth of the examples. Values that have to be computed teach a Solver.\n"
      "example: nrs learn chains.txt --out mine.nrs");
}

}  // namespace nrs::cli
