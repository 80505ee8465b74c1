#include "cli/study_progress.h"

#include <fmt/format.h>
#include <signal.h>

#include "base/process.h"
#include "cli/options.h"

namespace nrs {

StudyProgress::StudyProgress(std::span<const Trial> trials, Measure measure)
    : trials_(trials), measure_(measure), line_(stderr, errors_are_terminal()) {}

StudyWatch StudyProgress::watch() {
  return {.stop = [] { return interrupted() != 0; },
          .on_begin =
              [this](std::size_t number, const Trial& trial) {
                running_ = fmt::format("{}/{}  {}", number + 1, trials_.size(), trial.name);
              },
          .on_end = [this](std::size_t number, const Outcome& outcome,
                           bool before) { end(number, outcome, before); }};
}

void StudyProgress::wait(double seconds) {
  if (line_.due()) line_.show(fmt::format("{}  {}", running_, show_duration(seconds)));
}

void StudyProgress::end(std::size_t number, const Outcome& outcome, bool before) {
  std::string text = fmt::format("{}/{}  {}  ", number + 1, trials_.size(), trials_[number].name);
  if (outcome.end == TrialEnd::kDone) {
    text +=
        fmt::format("{} {:.2f} % after {} steps  {:.1f} s", enum_name(measure_),
                    100 * outcome.best[measure_], outcome.steps_to_best(measure_), outcome.seconds);
  } else {
    text += "failed: " + outcome.reason;
  }
  line_.note(before ? text + "  (done before)" : text);
}

int interrupted_study() {
  complain("interrupted; the same command goes on");
  // It may have been the training alone that was told to stop.
  return 128 + (interrupted() != 0 ? interrupted() : SIGTERM);
}

}  // namespace nrs
