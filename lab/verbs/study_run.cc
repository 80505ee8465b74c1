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
#include "cli/options.h"
#include "cli/other_program.h"
#include "model/training_files.h"
#include "nrs/error.h"

namespace nrs::lab {
namespace {

namespace fs = std::filesystem;

// Whether a training was told to stop, before or after it could say so itself.
bool was_stopped(int code) {
  return code == 128 + SIGINT || code == 128 + SIGTERM;
}

void judge(const ChildEnd& child, Outcome& outcome) {
  outcome.seconds = child.seconds;
  if (child.code == cli::kDone) return;
  outcome.end = TrialEnd::kFailed;
  if (was_stopped(child.code)) {
    outcome.end = TrialEnd::kInterrupted;
    return;
  }
  if (child.code == static_cast<int>(ErrorKind::kUsage)) outcome.end = TrialEnd::kRefused;
  outcome.reason = last_complaint(child.errors);
  if (child.code > 128) {
    outcome.reason = fmt::format("ended by a signal: {}", ::strsignal(child.code - 128));
  } else if (outcome.reason.empty()) {
    outcome.reason = fmt::format("exit status {}", child.code);
  }
}

// The files of a trial: those of the folder whose names begin with that of its model.
class TrialFiles {
 public:
  TrialFiles(const fs::path& folder, const Trial& trial)
      : folder_(folder), model_(trial.identity() + ".nrs") {}

  fs::path model() const { return folder_ / model_; }
  bool can_resume() const { return model::can_resume(model()); }
  // Whether a training that was handed out has come to its end.
  bool finished() const {
    return fs::exists(model()) && fs::exists(model::metrics_path(model())) && !can_resume();
  }
  void remove() const {
    std::error_code ignored;
    std::vector<fs::path> mine;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_, ignored)) {
      if (entry.path().filename().string().starts_with(model_)) mine.push_back(entry.path());
    }
    for (const fs::path& path : mine) fs::remove(path, ignored);
  }

 private:
  fs::path folder_;
  std::string model_;
};

std::vector<std::string> command_of(const Trial& trial, const TrialFiles& files, int threads) {
  std::vector<std::string> words{trial.recipe.path.string(), "--out", files.model().string(),
                                 "--quiet"};
  for (const Setting& setting : trial.settings) {
    words.insert(words.end(), {"--set", setting.text()});
  }
  if (trial.module != StudiedModule::kRouter) {
    words.insert(words.end(), {"--only", std::string(enum_name(trial.module))});
  }
  if (threads > 0) words.insert(words.end(), {"--threads", std::to_string(threads)});
  if (files.can_resume()) words.push_back("--resume");
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

  bool stop() override { return interrupted() != 0; }

  Outcome run(std::size_t number, const Trial& trial) override {
    const TrialFiles files(study_.folder, trial);
    Outcome outcome;
    if (!files.finished()) train(number, trial, files, outcome);
    try {
      if (outcome.end == TrialEnd::kFinished) {
        read_metrics(model::metrics_path(files.model()), trial.module, outcome);
      }
    } catch (const Error& error) {
      outcome.end = TrialEnd::kFailed;
      outcome.reason = error.line();
    }
    return outcome;
  }
  void forget(const Trial& trial) override {
    if (!study_.keep) TrialFiles(study_.folder, trial).remove();
  }

  void ended(std::size_t number, const Outcome& outcome, bool before) override {
    std::string text = place(number) + study_.plan.trials[number].name + "  ";
    if (outcome.end == TrialEnd::kFinished) {
      text += fmt::format("{} {:.2f} % after {} steps  {:.1f} s", enum_name(study_.measure),
                          100 * outcome.best[study_.measure], outcome.steps_to_best(study_.measure),
                          outcome.seconds);
    } else {
      text += "failed: " + outcome.reason;
    }
    line_.note(before ? text + "  (done before)" : text);
  }

 private:
  void train(std::size_t number, const Trial& trial, const TrialFiles& files, Outcome& outcome) {
    if (!files.can_resume()) files.remove();
    std::vector<std::string> words = command_of(trial, files, study_.threads);
    words.insert(words.begin(), program_.string());
    const auto show = [&](double seconds) {
      if (!line_.due()) return;
      line_.show(fmt::format("{}{}  {}", place(number), trial.name, show_duration(seconds)));
    };
    judge(run_child({.program = program_, .words = words, .keep_errors = true},
                    {.stop = interrupted, .on_wait = show}),
          outcome);
  }

  std::string place(std::size_t number) const {
    return fmt::format("{}/{}  ", number + 1, study_.plan.trials.size());
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
    const bool ended = known != nullptr && (known->end == TrialEnd::kFinished || !run.plan.retry);
    if (ended || TrialFiles(run.folder, trial).finished()) continue;
    if (seen.insert(trial.identity()).second) print(command_for(std::to_string(i + 1)));
  }
  return cli::kDone;
}

// It is the study that writes it down, when it is called again.
int run_training(const StudyRun& run, const std::string& task) {
  const std::size_t most = run.plan.trials.size();
  const cli::IntRange number = cli::parse_range(task, "--task", {1, static_cast<int>(most)});
  LearnRunner runner(run);
  make_output_folder(run.folder);
  notice_interrupts();
  const std::size_t index = static_cast<std::size_t>(number.from) - 1;
  const Outcome outcome = runner.run(index, run.plan.trials[index]);
  if (outcome.end == TrialEnd::kInterrupted) return interrupted_study();
  runner.ended(index, outcome, false);
  return outcome.end == TrialEnd::kFinished ? cli::kDone : static_cast<int>(ErrorKind::kIo);
}

}  // namespace

std::optional<int> run_handed_out(const StudyRun& run, const HandedOut& options) {
  if (options.list) return list_trainings(run);
  if (!options.task.empty()) return run_training(run, options.task);
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
