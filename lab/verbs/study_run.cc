#include "verbs/study_run.h"

#include <fmt/format.h>
#include <signal.h>

#include "base/output_target.h"
#include "base/process.h"
#include "base/status_line.h"
#include "cli/console.h"
#include "verbs/learn_runner.h"

namespace nrs {
namespace {

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
  StatusLine line_{stderr, errors_are_terminal()};
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
  complain("interrupted; the same command goes on");
  // It may have been the training alone that was told to stop.
  return 128 + (interrupted() != 0 ? interrupted() : SIGTERM);
}

}  // namespace nrs
