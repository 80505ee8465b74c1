#include "learn/train/progress.h"

#include <fmt/format.h>

namespace nrs::learn {

std::string show_progress(const TrainingProgress& p) {
  std::string text = fmt::format("{} {}/{}", p.module, p.step, p.steps);
  // A resumed run may validate before its first step.
  const bool stepped = p.steps_per_second > 0;
  if (stepped) text += fmt::format("  loss {:.4g}", p.loss);
  if (p.in_distribution >= 0) {
    text += fmt::format("  in-distribution {:.2f} %  out-of-distribution {:.2f} %",
                        100 * p.in_distribution, 100 * p.out_of_distribution);
  }
  if (stepped) {
    text +=
        fmt::format("  {:.1f} steps/s  {} left", p.steps_per_second, show_duration(p.seconds_left));
  }
  return text;
}

void ProgressLine::step(const TrainingProgress& progress) {
  if (line_.due()) line_.show(show_progress(progress));
}

void ProgressLine::validation(const TrainingProgress& progress) {
  note(show_progress(progress));
}

}  // namespace nrs::learn
