#include "verbs/study_run.h"

#include <fmt/format.h>
#include <signal.h>

#include <csignal>
#include <cstring>
#include <set>

#include "base/child.h"
#include "base/files.h"
#include "base/output_target.h"
#include "base/process.h"
#include "base/status_line.h"
#include "base/text.h"
#include "cli/console.h"
#include "cli/other_program.h"
#include "model/training_files.h"
#include "nrs/error.h"

namespace nrs::lab {
namespace {

namespace fs = std::filesystem;

Outcome outcome_of(const ChildEnd& child) {
  Outcome outcome{.seconds = child.seconds};
  if (child.code == cli::kDone) return outcome;
  // Told to stop, before or after it could say so itself.
  if (child.code == 128 + SIGINT || child.code == 128 + SIGTERM) {
    outcome.end = TrialEnd::kInterrupted;
    return outcome;
  }
  const bool refused = child.code == static_cast<int>(ErrorKind::kUsage);
  outcome.end = refused ? TrialEnd::kRefused : TrialEnd::kFailed;
  outcome.reason = last_complaint(child.errors);
  if (child.code > 128) {
    outcome.reason = fmt::format("ended by a signal: {}", ::strsignal(child.code - 128));
  } else if (outcome.reason.empty()) {
    outcome.reason = fmt::format("exit status {}", child.code);
  }
  return outcome;
}

// A trial has the files of the folder whose names begin with that of its model.
fs::path model_of(const StudyRun& study, const Trial& trial) {
  return study.folder / (trial.identity() + ".nrs");
}

// Whether a training that was handed out has come to its end.
bool finished(const fs::path& model) {
  return fs::exists(model) && fs::exists(model::metrics_path(model)) && !model::can_resume(model);
}

void remove_files(const fs::path& model) {
  std::error_code ignored;
  std::vector<fs::path> its;
  for (const fs::directory_entry& entry : fs::directory_iterator(model.parent_path(), ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(model.filename().string())) its.push_back(entry.path());
  }
  for (const fs::path& path : its) fs::remove(path, ignored);
}

std::vector<std::string> options_of(const Trial& trial, const fs::path& model, int threads) {
  std::vector<std::string> words{trial.recipe.path.string(), "--out", model.string(), "--quiet"};
  for (const Setting& setting : trial.settings) {
    words.insert(words.end(), {"--set", setting.text()});
  }
  if (trial.module != StudiedModule::kRouter) {
    words.insert(words.end(), {"--only", std::string(enum_name(trial.module))});
  }
  if (threads > 0) words.insert(words.end(), {"--threads", std::to_string(threads)});
  if (model::can_resume(model)) words.push_back("--resume");
  return words;
}

// Runs trials as processes of their own: nrs-learn, the program beside this one. So a trial that
// crashes or is refused ends itself only, and one that is interrupted saves a checkpoint. Shows a
// line for each trial, and on a terminal one that is always up to date.
class LearnRunner : public TrialRunner {
 public:
  // Throws Error (usage) if there is no nrs-learn. notice_interrupts() must have been called before
  // a trial is run.
  explicit LearnRunner(const StudyRun& study)
      : program_(cli::find_program(cli::trainer())), study_(study) {}

  Outcome run(std::size_t number, const Trial& trial) override {
    const fs::path model = model_of(study_, trial);
    Outcome outcome = finished(model) ? Outcome{} : train(number, trial, model);
    if (!outcome.finished()) return outcome;
    try {
      read_metrics(model::metrics_path(model), trial.module, outcome);
    } catch (const Error& error) {
      outcome.end = TrialEnd::kFailed;
      outcome.reason = error.line();
    }
    return outcome;
  }

  void ended(std::size_t number, const Outcome& outcome, bool before) override {
    if (!before && !study_.keep) remove_files(model_of(study_, study_.plan.trials[number]));
    tell(number, outcome, before ? "  (done before)" : "");
  }

  void tell(std::size_t number, const Outcome& outcome, const std::string& note = "") {
    std::string text = "failed: " + outcome.reason;
    if (outcome.finished()) {
      text = fmt::format("{} {:.2f} % after {} steps  {:.1f} s", enum_name(study_.measure),
                         100 * outcome.best[study_.measure], outcome.steps_to_best(study_.measure),
                         outcome.seconds);
    }
    line_.note(fmt::format("{}  {}{}", place(number), text, note));
  }

 private:
  Outcome train(std::size_t number, const Trial& trial, const fs::path& model) {
    if (!model::can_resume(model)) remove_files(model);
    std::vector<std::string> words = options_of(trial, model, study_.threads);
    words.insert(words.begin(), program_.string());
    const auto show = [&](double seconds) {
      if (line_.due()) line_.show(fmt::format("{}  {}", place(number), show_duration(seconds)));
    };
    return outcome_of(run_child({.program = program_, .words = words, .keep_errors = true},
                                {.stop = interrupted, .on_wait = show}));
  }

  std::string place(std::size_t number) const {
    const TrialPlan& plan = study_.plan;
    return fmt::format("{}/{}  {}", number + 1, plan.trials.size(), plan.trials[number].name);
  }

  std::filesystem::path program_;
  const StudyRun& study_;
  StatusLine line_{stderr, cli::errors_are_terminal()};
};

// Two trials that draw the same are one.
int list_trainings(const StudyRun& run) {
  make_output_folder(run.folder);
  const StudyLog log(run.folder / "trials.jsonl");
  std::set<std::string> seen;
  for (std::size_t i = 0; i < run.plan.trials.size(); ++i) {
    const Trial& trial = run.plan.trials[i];
    const Outcome* known = log.find(trial);
    const bool ended = known != nullptr && (known->finished() || !run.plan.retry);
    if (ended || finished(model_of(run, trial))) continue;
    if (seen.insert(trial.identity()).second) print(command_for(std::to_string(i + 1)));
  }
  return cli::kDone;
}

// It is the study that writes it down, when it is called again.
int run_training(const StudyRun& run) {
  const int most = static_cast<int>(run.plan.trials.size());
  const cli::IntRange number = cli::parse_range(run.handed_out.task, "--task", {1, most});
  LearnRunner runner(run);
  make_output_folder(run.folder);
  notice_interrupts();
  const std::size_t index = static_cast<std::size_t>(number.from) - 1;
  const Outcome outcome = runner.run(index, run.plan.trials[index]);
  if (outcome.end == TrialEnd::kInterrupted) return interrupted_study();
  runner.tell(index, outcome);
  return outcome.finished() ? cli::kDone : static_cast<int>(ErrorKind::kIo);
}

}  // namespace

std::optional<int> run_handed_out(const StudyRun& run) {
  if (run.handed_out.list) return list_trainings(run);
  if (!run.handed_out.task.empty()) return run_training(run);
  return std::nullopt;
}

std::vector<std::optional<Outcome>> run_study(const StudyRun& run) {
  LearnRunner runner(run);
  make_output_folder(run.folder);
  StudyLog log(run.folder / "trials.jsonl");
  notice_interrupts();
  return run_trials(run.plan, log, runner);
}

int interrupted_study() {
  cli::complain("interrupted; the same command continues");
  // It may have been the training alone that was told to stop.
  return 128 + (interrupted() != 0 ? interrupted() : SIGTERM);
}

}  // namespace nrs::lab
