#pragma once
// What `nrs tune` and `nrs ablate` share: trials are run by nrs-learn with a log in a folder, and
// the person who waits sees a line for each.
#include <filesystem>
#include <optional>
#include <vector>

#include "study/trials.h"
#include "verbs/verbs.h"

namespace nrs::lab {

struct StudyRun {
  TrialPlan plan;
  Measure measure = Measure::kBeyond;  // that is shown
  std::filesystem::path folder;        // for the log and the files of the trials
  int threads = 0;                     // of each training; 0: the recipe's
  bool keep = false;                   // the files of trials that have ended
  HandedOut handed_out;
};

// Throws Error if the log or the runs of trials cannot begin.
std::vector<std::optional<Outcome>> run_study(const StudyRun& run);

// If trainings are handed out: prints the commands, or does the training of one. Returns the exit
// code; nothing if the study is to be run as a whole. Throws Error as run_study() does.
std::optional<int> run_handed_out(const StudyRun& run);

// Says that a study was interrupted and how it goes on; returns the exit code.
int interrupted_study();

}  // namespace nrs::lab
