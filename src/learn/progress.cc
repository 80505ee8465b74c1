#include "learn/progress.h"

#include <fmt/format.h>

namespace nrs {

std::string show_progress(const TrainingProgress& p) {
  std::string text = fmt::format("{} {}/{}  loss {:.4g}", p.module, p.step, p.steps, p.loss);
  if (p.known >= 0) {
    text += fmt::format("  known {:.2f} %  beyond {:.2f} %", 100 * p.known, 100 * p.beyond);
  }
  return text + fmt::format("  {:.1f} steps/s  {} left", p.steps_per_second,
                            show_duration(p.seconds_left));
}

void ProgressLine::step(const TrainingProgress& progress) {
  if (line_.due()) line_.show(show_progress(progress));
}

void ProgressLine::validation(const TrainingProgress& progress) {
  note(show_progress(progress));
}

}  // namespace nrs
