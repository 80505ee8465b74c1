#pragma once
// What the person who waits for a study sees: a line for each trial, and on a terminal one that is
// always up to date.
#include "base/status_line.h"
#include "study/run_trials.h"

namespace nrs {

class StudyProgress {
 public:
  StudyProgress(std::span<const Trial> trials, Measure measure);

  // What to give to run_trials(); the progress must outlive it.
  StudyWatch watch();
  void wait(double seconds);
  void clear() { line_.clear(); }

 private:
  void end(std::size_t number, const Outcome& outcome, bool before);

  std::span<const Trial> trials_;
  Measure measure_;
  std::string running_;
  StatusLine line_;
};

// Says that a study was interrupted and how it goes on; returns the exit code.
int interrupted_study();

}  // namespace nrs
