#include "learn/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace nrs {
namespace {

// Often enough to look alive, seldom enough to cost nothing.
constexpr double kSecondsBetween = 0.2;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

std::string show_duration(double seconds) {
  const auto whole = static_cast<long>(std::lround(std::clamp(seconds, 0.0, 1e9)));
  const long hours = whole / 3600;
  const long minutes = whole / 60 % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60);
  return fmt::format("{}:{:02}", minutes, whole % 60);
}

std::string show_progress(const TrainingProgress& p) {
  std::string text = fmt::format("{} {}/{}  loss {:.4g}", p.module, p.step, p.steps, p.loss);
  if (p.known >= 0) {
    text += fmt::format("  known {:.2f} %  beyond {:.2f} %", 100 * p.known, 100 * p.beyond);
  }
  return text + fmt::format("  {:.1f} steps/s  {} left", p.steps_per_second,
                            show_duration(p.seconds_left));
}

void ProgressLine::step(const TrainingProgress& progress) {
  if (!terminal_ || now() - shown_at_ < kSecondsBetween) return;
  shown_at_ = now();
  const std::string text = show_progress(progress);
  const std::string blanks(width_ > text.size() ? width_ - text.size() : 0, ' ');
  fmt::print(stream_, "\r{}{}", text, blanks);
  std::fflush(stream_);
  width_ = text.size();
}

void ProgressLine::validation(const TrainingProgress& progress) {
  note(show_progress(progress));
}

void ProgressLine::note(const std::string& text) {
  clear();
  fmt::print(stream_, "{}\n", text);
  std::fflush(stream_);
}

void ProgressLine::clear() {
  if (width_ == 0) return;
  fmt::print(stream_, "\r{}\r", std::string(width_, ' '));
  std::fflush(stream_);
  width_ = 0;
}

}  // namespace nrs
