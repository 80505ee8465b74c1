#include "verbs/study_run.h"

#include <fmt/format.h>

#include <signal.h>
#include <csignal>
#include <cstring>
#include <functional>

#include "base/child.h"
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

// What the trainer said last, without its name in front.
std::string last_words(const std::string& errors) {
  const std::string text = last_line(errors);
  constexpr std::string_view kName = "nrs train: ";
  return text.starts_with(kName) ? text.substr(kName.size()) : text;
}

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
  outcome.reason = last_words(child.errors);
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

struct LearnRunnerOptions {
  std::filesystem::path folder;                      // for the files of the trials
  int threads = 0;                                   // 0: the recipe's
  bool keep = false;                                 // the files of trials that are done
  std::function<void(double seconds)> on_wait = {};  // called often
};

// Runs trials as processes of their own: nrs-learn, the program beside this one. So a trial that
// crashes or is refused ends itself only, and one that is interrupted saves a checkpoint.
class LearnRunner : public TrialRunner {
 public:
  // Throws Error (usage) if there is no nrs-learn. notice_interrupts() must have been called.
  explicit LearnRunner(LearnRunnerOptions options);

  Outcome run(const Trial& trial) override;
  void forget(const Trial& trial) override;

 private:
  std::filesystem::path program_;
  LearnRunnerOptions options_;
};

LearnRunner::LearnRunner(LearnRunnerOptions options)
    : program_(cli::find_program(cli::trainer())), options_(std::move(options)) {}

Outcome LearnRunner::run(const Trial& trial) {
  const TrialFiles files(options_.folder, trial);
  if (!files.can_resume()) files.remove();
  std::vector<std::string> words = command_of(trial, files, options_.threads);
  words.insert(words.begin(), program_.string());
  Outcome outcome;
  judge(run_child({.program = program_, .words = words, .keep_errors = true},
                  {.stop = interrupted, .on_wait = options_.on_wait}),
        outcome);
  try {
    if (outcome.end == TrialEnd::kFinished)
      read_metrics(model::metrics_path(files.model()), trial.module, outcome);
  } catch (const Error& error) {
    outcome.end = TrialEnd::kFailed;
    outcome.reason = error.line();
  }
  return outcome;
}

void LearnRunner::forget(const Trial& trial) {
  if (!options_.keep) TrialFiles(options_.folder, trial).remove();
}

// A line for each trial, and on a terminal one that is always up to date.
class StudyProgress {
 public:
  explicit StudyProgress(const StudyRun& run) : trials_(run.plan.trials), measure_(run.measure) {}

  void begin(std::size_t number, const Trial& trial) { running_ = place(number) + trial.name; }

  void wait(double seconds) {
    if (line_.due()) line_.show(fmt::format("{}  {}", running_, show_duration(seconds)));
  }

  void end(std::size_t number, const Outcome& outcome, bool before) {
    std::string text = place(number) + trials_[number].name + "  ";
    if (outcome.end == TrialEnd::kFinished) {
      text += fmt::format("{} {:.2f} % after {} steps  {:.1f} s", enum_name(measure_),
                          100 * outcome.best[measure_], outcome.steps_to_best(measure_),
                          outcome.seconds);
    } else {
      text += "failed: " + outcome.reason;
    }
    line_.note(before ? text + "  (done before)" : text);
  }

 private:
  std::string place(std::size_t number) const {
    return fmt::format("{}/{}  ", number + 1, trials_.size());
  }

  std::span<const Trial> trials_;
  Measure measure_;
  std::string running_;
  StatusLine line_{stderr, cli::errors_are_terminal()};
};

}  // namespace

std::vector<std::optional<Outcome>> run_study(const StudyRun& run) {
  StudyProgress progress(run);
  LearnRunner runner({.folder = run.folder,
                      .threads = run.threads,
                      .keep = run.keep,
                      .on_wait = [&](double seconds) { progress.wait(seconds); }});
  make_output_folder(run.folder);
  StudyLog log(run.folder / "trials.jsonl");
  notice_interrupts();
  return run_trials(
      run.plan, log, runner,
      {.stop = [] { return interrupted() != 0; },
       .on_begin = [&](std::size_t number, const Trial& trial) { progress.begin(number, trial); },
       .on_end = [&](std::size_t number, const Outcome& outcome,
                     bool before) { progress.end(number, outcome, before); }});
}

int interrupted_study() {
  cli::complain("interrupted; the same command continues");
  // It may have been the training alone that was told to stop.
  return 128 + (interrupted() != 0 ? interrupted() : SIGTERM);
}

}  // namespace nrs::lab
