#include "recipe/train_options.h"

#include <CLI/CLI.hpp>

namespace nrs::recipe {

void declare_train(CLI::App& app, TrainOptions& options) {
  app.add_option("recipe", options.recipe, "recipe file, as in recipes/")->required();
  app.add_option("--set", options.overrides,
                 "change a field of the recipe, such as train.solver.steps=500")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  app.add_option(
      "--out", options.out,
      "file for the model; default: the recipe's name with .nrs, unless that file exists");
  app.add_option("--only", options.only,
                 "train only this module, and keep the other one in the file OUT")
      ->check(CLI::IsMember({"selector", "solver"}))
      ->type_name("selector|solver");
  app.add_option("--solver-from", options.solver_from,
                 "train only the Selector, and take the Solver of this model")
      ->type_name("FILE");
  app.add_option("--threads", options.threads, "threads; default: the recipe's number")
      ->check(CLI::Range(1, 1024));
  app.add_flag("--resume", options.resume, "continue an interrupted run");
  app.add_flag("--quiet", options.quiet, "show no progress");
  app.footer(
      "Writes OUT.metrics.jsonl and, until it is done, OUT.checkpoint.\n"
      "Ctrl-C saves a checkpoint. --resume continues from it, and gives the same weights as a run\n"
      "without interruption.");
}

void declare_pairs(CLI::App& app, PairsOptions& options) {
  app.add_option("PAIRS", options.pairs, "questions with their answers, as JSON lines")->required();
  app.add_option("--out", options.out, "file for the model, which has only a Solver")->required();
  app.add_option("--goes-on", options.goes_on, "a model whose Solver is trained further");
  app.add_option("--minutes", options.minutes, "about the time that it may take")
      ->check(CLI::Range(0.01, 1e5));
  app.add_option("--seed", options.seed, "fixes every random draw")
      ->check(CLI::Range(0, 2'147'483'647));
  app.add_option("--threads", options.threads, "threads")->check(CLI::Range(1, 1024));
  app.add_flag("--resume", options.resume, "continue an interrupted run");
  app.add_flag("--quiet", options.quiet, "show no progress");
}

std::vector<std::string> words_of(const PairsOptions& options) {
  std::vector<std::string> words{kPairsVerb, options.pairs, "--out=" + options.out};
  words.push_back("--minutes=" + std::to_string(options.minutes));
  words.push_back("--seed=" + std::to_string(options.seed));
  words.push_back("--threads=" + std::to_string(options.threads));
  if (!options.goes_on.empty()) words.push_back("--goes-on=" + options.goes_on);
  if (options.resume) words.emplace_back("--resume");
  if (options.quiet) words.emplace_back("--quiet");
  return words;
}

}  // namespace nrs::recipe
