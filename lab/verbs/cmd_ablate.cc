// nrs ablate: trains the variants of a study and writes the result file that `nrs report` draws.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "eval/origin.h"
#include "nrs/error.h"
#include "study/ablation.h"
#include "verbs/study_run.h"
#include "verbs/verbs.h"

namespace nrs::lab {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct AblateOptions {
  std::string study;
  std::string out = "results";
  int threads = 0;
  bool keep = false;
  HandedOut handed_out;
};

void write_result(const Study& study, const std::vector<Outcome>& outcomes, const fs::path& file,
                  const fs::path& path) {
  Json json;
  eval::add_origin(json, "nrs " NRS_VERSION, nullptr);
  json["study_checksum"] = study_checksum(file);
  json.update(to_json(study, outcomes));
  write_file(path, json.dump(1) + "\n");
  print(path.string() + "\n");
}

// A study with holes would be drawn as if it were whole: so it is all runs or no file.
int finish(const Study& study, const std::vector<std::optional<Outcome>>& outcomes,
           const fs::path& file, const fs::path& path) {
  if (end_of(outcomes) == StudyEnd::kInterrupted) return interrupted_study();
  std::vector<Outcome> done;
  std::string reason;
  for (const auto& outcome : outcomes) {
    if (outcome->end == TrialEnd::kFinished) {
      done.push_back(*outcome);
    } else if (reason.empty()) {
      reason = outcome->reason;
    }
  }
  if (done.size() < outcomes.size()) {
    throw Error(ErrorKind::kIo,
                fmt::format("{} of {} runs failed, the first one because: {}",
                            outcomes.size() - done.size(), outcomes.size(), reason),
                fmt::format("{} is not written; the same command runs them again", path.string()));
  }
  write_result(study, done, file, path);
  return cli::kDone;
}

int run(const AblateOptions& options) {
  const fs::path file = options.study;
  const Study study = read_study(file);
  const fs::path out = options.out;
  const fs::path folder = out / "studies" / file.stem();
  const StudiedRecipe recipe =
      read_studied_recipe((file.parent_path() / study.recipe).lexically_normal());
  const std::vector<Trial> trials = trials_of(study, recipe);
  const StudyRun whole{.plan = {.trials = trials, .retry = true},
                       .measure = study.measure,
                       .folder = folder,
                       .threads = options.threads,
                       .keep = options.keep};
  if (const auto code = run_handed_out(whole, options.handed_out)) return *code;
  const auto outcomes = run_study(whole);
  return finish(study, outcomes, file, out / "ablations" / (file.stem().string() + ".json"));
}

}  // namespace

void add_ablate(CLI::App& app, cli::Action& action) {
  const auto [verb, options] = cli::add_verb<AblateOptions>(app, action, "ablate", run);
  verb->add_option("study", options->study, "study file, as in studies/")->required();
  verb->add_option("--out", options->out, "folder of result files")->type_name("FOLDER");
  verb->add_option("--threads", options->threads,
                   "threads of each training; default: the recipe's number")
      ->check(CLI::Range(1, 1024))
      ->default_str("");
  verb->add_flag("--keep", options->keep, "keep the model and the metrics of each run");
  add_task_options(*verb, options->handed_out);
  verb->footer(
      "Writes FOLDER/ablations/STUDY.json when all runs are done. Finished runs are listed in\n"
      "FOLDER/studies/STUDY/trials.jsonl. After Ctrl-C, the same command continues.\n"
      "docs/studies.md describes the files.\n"
      "example: nrs ablate studies/window-width.toml --out results");
}

}  // namespace nrs::lab
