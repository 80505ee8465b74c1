// nrs tune: random search over the fields of a recipe. nrs ablate: trains the variants of a study
// and writes the result file that `nrs report` draws.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "eval/origin.h"
#include "nrs/error.h"
#include "study/ablation.h"
#include "study/tune.h"
#include "verbs/study_run.h"
#include "verbs/verbs.h"

namespace nrs::lab {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct TuneOptions : StudyRun {
  Search search;
  std::string recipe;
  std::string space;
  std::string module = "selector";
  std::string objective = "beyond";
  std::string out;
  std::vector<std::string> settings;
  bool json = false;
};

struct AblateOptions : StudyRun {
  std::string study;
  std::string out = "results";
};

Json with_origin() {
  Json json;
  eval::add_origin(json, "nrs " NRS_VERSION, nullptr);
  return json;
}

std::string shown(const Search& search, Outcomes outcomes, bool as_json) {
  if (!as_json) return to_table(search, outcomes);
  Json json = with_origin();
  json.update(to_json(search, outcomes));
  return json.dump(2) + "\n";
}

int tune(const TuneOptions& options) {
  Search search = options.search;
  search.recipe = read_studied_recipe(options.recipe);
  search.module = *enum_value<StudiedModule>(options.module);
  search.space = read_space(options.space);
  search.common = parse_settings(options.settings);
  search.objective = *enum_value<Measure>(options.objective);
  StudyRun run = options;
  run.plan.trials = trials_of(search);
  run.measure = search.objective;
  run.folder =
      options.out.empty() ? "tune-" + fs::path(options.recipe).stem().string() : options.out;
  if (const auto code = run_handed_out(run)) return *code;
  const auto outcomes = run_study(run);
  print(shown(search, outcomes, options.json));
  if (end_of(outcomes) == StudyEnd::kInterrupted) return interrupted_study();
  return end_of(outcomes) == StudyEnd::kAllFailed ? static_cast<int>(ErrorKind::kIo) : cli::kDone;
}

// A study with holes would be drawn as if it were whole: so it is all runs or no file.
std::vector<Outcome> all_of(Outcomes outcomes, const fs::path& result) {
  std::vector<Outcome> done;
  std::string reason;
  for (const auto& outcome : outcomes) {
    if (outcome->finished()) {
      done.push_back(*outcome);
    } else if (reason.empty()) {
      reason = outcome->reason;
    }
  }
  if (done.size() == outcomes.size()) return done;
  throw Error(ErrorKind::kIo,
              fmt::format("{} of {} runs failed, the first one because: {}",
                          outcomes.size() - done.size(), outcomes.size(), reason),
              fmt::format("{} is not written; the same command runs them again", result.string()));
}

int ablate(const AblateOptions& options) {
  const fs::path file = options.study, out = options.out;
  const Study study = read_study(file);
  const fs::path recipe = (file.parent_path() / study.recipe).lexically_normal();
  StudyRun run = options;
  run.plan = {.trials = trials_of(study, read_studied_recipe(recipe)), .retry = true};
  run.measure = study.measure;
  run.folder = out / "studies" / file.stem();
  if (const auto code = run_handed_out(run)) return *code;
  const auto outcomes = run_study(run);
  if (end_of(outcomes) == StudyEnd::kInterrupted) return interrupted_study();
  const fs::path result = out / "ablations" / (file.stem().string() + ".json");
  const std::vector<Outcome> done = all_of(outcomes, result);
  Json json = with_origin();
  json["study_checksum"] = study_checksum(file);
  json.update(to_json(study, done));
  write_file(result, json.dump(1) + "\n");
  print(result.string() + "\n");
  return cli::kDone;
}

void add_threads(CLI::App& verb, StudyRun& study) {
  verb.add_option("--threads", study.threads, "threads per training; default: the recipe's number")
      ->check(CLI::Range(1, 1024))
      ->default_str("");
}

void declare(CLI::App& verb, TuneOptions& options) {
  verb.add_option("recipe", options.recipe, "recipe file, as in recipes/")->required();
  verb.add_option("--space", options.space,
                  "file that lists fields of the recipe and the values to try")
      ->required()
      ->type_name("FILE");
  verb.add_option("--trials", options.search.trials,
                  "number of trainings; the first uses the recipe unchanged")
      ->required()
      ->check(CLI::Range(1, 100'000))
      ->default_str("");
  verb.add_option("--module", options.module, "what is trained")
      ->check(CLI::IsMember(enum_words<StudiedModule>()));
  verb.add_option("--objective", options.objective,
                  "which validation examples count: beyond (harder than the training) or known (as "
                  "hard)")
      ->check(CLI::IsMember(enum_words<Measure>()));
  verb.add_option("--seed", options.search.seed,
                  "random seed; the same seed gives the same values");
  verb.add_option("--out", options.out, "folder for trials.jsonl [tune-RECIPE]")
      ->type_name("FOLDER");
  add_threads(verb, options);
  verb.add_option("--set", options.settings, "change a field in all trials")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb.add_flag("--keep", options.keep, "keep the model and the metrics of each trial");
  verb.add_flag("--retry", options.plan.retry, "run failed trials again");
  verb.add_flag("--json", options.json, "one JSON object");
  add_task_options(verb, options.handed_out);
}

}  // namespace

void add_tune(CLI::App& app, cli::Action& action) {
  const auto [verb, options] = cli::add_verb<TuneOptions>(app, action, "tune", tune);
  declare(*verb, *options);
  verb->footer(
      "Finished trials are listed in FOLDER/trials.jsonl and are not run again. After Ctrl-C, or "
      "with\n"
      "more trials, the same command continues. docs/studies.md describes the files.\n"
      "example: nrs tune recipes/algebra.toml --space studies/tune-selector.toml --trials 20");
}

void add_ablate(CLI::App& app, cli::Action& action) {
  const auto [verb, options] = cli::add_verb<AblateOptions>(app, action, "ablate", ablate);
  verb->add_option("study", options->study, "study file, as in studies/")->required();
  verb->add_option("--out", options->out, "folder of result files")->type_name("FOLDER");
  add_threads(*verb, *options);
  verb->add_flag("--keep", options->keep, "keep the model and the metrics of each run");
  add_task_options(*verb, options->handed_out);
  verb->footer(
      "Writes FOLDER/ablations/STUDY.json when all runs are done. Finished runs are listed in\n"
      "FOLDER/studies/STUDY/trials.jsonl. After Ctrl-C, the same command continues.\n"
      "docs/studies.md describes the files.\n"
      "example: nrs ablate studies/window-width.toml --out results");
}

}  // namespace nrs::lab
