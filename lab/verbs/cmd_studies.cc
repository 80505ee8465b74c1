// nrs tune: random search over the fields of a recipe.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "eval/origin.h"
#include "nrs/error.h"
#include "study/tune.h"
#include "verbs/study_run.h"
#include "verbs/verbs.h"

namespace nrs::lab {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct TuneOptions {
  std::string recipe;
  std::string space;
  int trials = 0;
  std::string module = "selector";
  std::string objective = "beyond";
  std::uint64_t seed = 1;
  std::string out;
  int threads = 0;
  std::vector<std::string> settings;
  bool keep = false;
  HandedOut handed_out;
  bool retry = false;
  bool json = false;
};

Search search_of(const TuneOptions& options) {
  return {.recipe = read_studied_recipe(options.recipe),
          .module = *enum_value<StudiedModule>(options.module),
          .space = read_space(options.space),
          .common = parse_settings(options.settings),
          .seed = options.seed,
          .trials = options.trials,
          .objective = *enum_value<Measure>(options.objective)};
}

std::string shown(const TuneOptions& options, const Search& search, Outcomes outcomes) {
  if (!options.json) return to_table(search, outcomes);
  Json json;
  eval::add_origin(json, "nrs " NRS_VERSION, nullptr);
  json.update(to_json(search, outcomes));
  return json.dump(2) + "\n";
}

int run(const TuneOptions& options) {
  const Search search = search_of(options);
  const fs::path folder =
      options.out.empty() ? "tune-" + fs::path(options.recipe).stem().string() : options.out;
  const std::vector<Trial> trials = trials_of(search);
  const StudyRun whole{.plan = {.trials = trials, .retry = options.retry},
                       .measure = search.objective,
                       .folder = folder,
                       .threads = options.threads,
                       .keep = options.keep};
  if (const auto code = run_handed_out(whole, options.handed_out)) return *code;
  const auto outcomes = run_study(whole);
  print(shown(options, search, outcomes));
  if (end_of(outcomes) == StudyEnd::kInterrupted) return interrupted_study();
  return end_of(outcomes) == StudyEnd::kAllFailed ? static_cast<int>(ErrorKind::kIo) : cli::kDone;
}

void declare(CLI::App& verb, TuneOptions& options) {
  verb.add_option("recipe", options.recipe, "recipe file, as in recipes/")->required();
  verb.add_option("--space", options.space,
                  "file that lists fields of the recipe and the values to try")
      ->required()
      ->type_name("FILE");
  verb.add_option("--trials", options.trials,
                  "number of trainings; the first is the recipe as it is")
      ->required()
      ->check(CLI::Range(1, 100'000));
  verb.add_option("--module", options.module, "what is trained")
      ->check(CLI::IsMember(enum_words<StudiedModule>()))
      ->capture_default_str();
  verb.add_option("--objective", options.objective,
                  "which validation examples count: beyond (harder than the training) or known (as "
                  "hard)")
      ->check(CLI::IsMember(enum_words<Measure>()))
      ->capture_default_str();
  verb.add_option("--seed", options.seed, "random seed; the same seed gives the same values")
      ->capture_default_str();
  verb.add_option("--out", options.out, "folder for trials.jsonl [tune-RECIPE]")
      ->type_name("FOLDER");
  verb.add_option("--threads", options.threads,
                  "threads of each training; default: the recipe's number")
      ->check(CLI::Range(1, 1024));
  verb.add_option("--set", options.settings, "change a field in all trials")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb.add_flag("--keep", options.keep, "keep the model and the metrics of each trial");
  verb.add_flag("--retry", options.retry, "run failed trials again");
  verb.add_flag("--json", options.json, "one JSON object");
  add_task_options(verb, options.handed_out);
}

}  // namespace

void add_tune(CLI::App& app, cli::Action& action) {
  auto options = std::make_shared<TuneOptions>();
  CLI::App* verb = app.add_subcommand(cli::kTuneVerb.name, cli::kTuneVerb.purpose);
  declare(*verb, *options);
  verb->footer(
      "Finished trials are listed in FOLDER/trials.jsonl and are not run again: after Ctrl-C, or "
      "with\n"
      "more trials, the same command continues. docs/studies.md describes the files.\n"
      "example: nrs tune recipes/algebra.toml --space studies/tune-selector.toml --trials 20");
  verb->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace nrs::lab
