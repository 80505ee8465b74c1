#pragma once
// Runs the trials of a study that have not been run yet, one after the other, and logs what was
// done.
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/growing_file.h"
#include "study/trial.h"

namespace nrs::lab {

class StudyLog {
 public:
  // Creates the file if it is not there. Throws Error: usage if another run is writing it; input
  // with file and line if it is no such log. A last line that was cut is dropped.
  explicit StudyLog(const std::filesystem::path& path);

  // The outcome of the trial, if it has ended; failed ones have, too.
  const Outcome* find(const Trial& trial) const;
  // Adds an outcome. The seconds that interrupted runs of the trial took are added to the last one.
  void add(const Trial& trial, Outcome outcome);

 private:
  void take(const std::string& line);

  GrowingFile file_;
  std::map<std::string, Outcome> ended_;
  std::map<std::string, double> seconds_;  // of interrupted runs
};

// Runs trials, and sees how the study goes on. A trial that goes wrong is an outcome, not an
// exception: the study goes on. Trials are numbered in the order of the study.
class TrialRunner {
 public:
  virtual ~TrialRunner() = default;
  virtual Outcome run(std::size_t number, const Trial& trial) = 0;
  // It has ended and is in the log: now, so that what it left behind is no longer needed, or it was
  // there `before`.
  virtual void ended(std::size_t /*number*/, const Outcome& /*outcome*/, bool /*before*/) {}
};

struct TrialPlan {
  std::vector<Trial> trials;
  bool retry = false;  // run again what failed before
};

enum class StudyEnd { kComplete, kInterrupted, kAllFailed };

// The outcome of each trial, or nothing where there was no time for it: then it was interrupted, or
// the program was (base/process.h).
std::vector<std::optional<Outcome>> run_trials(const TrialPlan& plan, StudyLog& log,
                                               TrialRunner& runner);
StudyEnd end_of(std::span<const std::optional<Outcome>> outcomes);

}  // namespace nrs::lab
