#include "study/run_trials.h"

#include <algorithm>
#include <set>

namespace nrs {

std::vector<std::optional<Outcome>> run_trials(const TrialPlan& plan, StudyLog& log,
                                               TrialRunner& runner, const StudyWatch& watch) {
  std::vector<std::optional<Outcome>> outcomes(plan.trials.size());
  std::set<std::string> tried;  // now: two trials that draw the same are one
  bool stopped = false;
  for (std::size_t i = 0; i < plan.trials.size(); ++i) {
    const Trial& trial = plan.trials[i];
    const Outcome* known = log.find(trial);
    const bool again = plan.retry && tried.count(trial.identity()) == 0;
    const bool before = known != nullptr && (known->end == TrialEnd::kFinished || !again);
    if (!before) {
      // What is done already is still wanted, so that an overview is whole.
      stopped = stopped || (watch.stop && watch.stop());
      if (stopped) continue;
      if (watch.on_begin) watch.on_begin(i, trial);
      tried.insert(trial.identity());
      const Outcome outcome = runner.run(trial);
      log.add(trial, outcome);
      stopped = outcome.end == TrialEnd::kInterrupted;
      if (stopped) continue;
      runner.forget(trial);
    }
    outcomes[i] = *log.find(trial);
    if (watch.on_end) watch.on_end(i, *outcomes[i], before);
  }
  return outcomes;
}

StudyEnd end_of(std::span<const std::optional<Outcome>> outcomes) {
  const auto missing = [](const auto& outcome) { return !outcome; };
  const auto done = [](const auto& outcome) {
    return outcome && outcome->end == TrialEnd::kFinished;
  };
  if (std::any_of(outcomes.begin(), outcomes.end(), missing)) return StudyEnd::kInterrupted;
  return std::any_of(outcomes.begin(), outcomes.end(), done) ? StudyEnd::kComplete
                                                             : StudyEnd::kAllFailed;
}

}  // namespace nrs
