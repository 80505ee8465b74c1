#pragma once
// Runs trials as processes of their own: nrs-learn, the program beside this one. So a trial that
// crashes or is refused ends itself only, and one that is interrupted saves a checkpoint.
#include <functional>

#include "study/trial.h"

namespace nrs {

struct LearnRunnerOptions {
  std::filesystem::path folder;                      // for the files of the trials
  int threads = 0;                                   // 0: the recipe's
  bool keep = false;                                 // the files of trials that are done
  std::function<void(double seconds)> on_wait = {};  // called often
};

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

}  // namespace nrs
