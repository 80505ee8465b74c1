#pragma once
// Runs the trials of a study that have not been run yet, one after the other.
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "study/study_log.h"
#include "study/trial.h"

namespace nrs {

// All may be empty.
struct StudyWatch {
  std::function<bool()> stop;  // asked before each trial
  std::function<void(std::size_t number, const Trial&)> on_begin;
  // `before`: it was in the log.
  std::function<void(std::size_t number, const Outcome&, bool before)> on_end;
};

struct TrialPlan {
  std::span<const Trial> trials;
  bool retry = false;  // run again what failed before
};

enum class StudyEnd { kComplete, kInterrupted, kAllFailed };

// The outcome of each trial, or nothing where there was no time for it: then it was interrupted.
std::vector<std::optional<Outcome>> run_trials(const TrialPlan& plan, StudyLog& log,
                                               TrialRunner& runner, const StudyWatch& watch);
StudyEnd end_of(std::span<const std::optional<Outcome>> outcomes);

}  // namespace nrs
