#include "base/status_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace nrs {
namespace {

constexpr double kSecondsBetween = 0.2;

}  // namespace

std::string show_duration(double seconds) {
  const auto whole = static_cast<long>(std::lround(std::clamp(seconds, 0.0, 1e9)));
  const long hours = whole / 3600;
  const long minutes = whole / 60 % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60);
  return fmt::format("{}:{:02}", minutes, whole % 60);
}

bool StatusLine::due() const {
  return terminal_ && seconds_since(shown_at_) >= kSecondsBetween;
}

void StatusLine::show(const std::string& text) {
  if (!due()) return;
  shown_at_ = std::chrono::steady_clock::now();
  const std::string blanks(width_ > text.size() ? width_ - text.size() : 0, ' ');
  fmt::print(stream_, "\r{}{}", text, blanks);
  std::fflush(stream_);
  width_ = text.size();
}

void StatusLine::note(const std::string& text) {
  clear();
  fmt::print(stream_, "{}\n", text);
  std::fflush(stream_);
}

void StatusLine::clear() {
  if (width_ == 0) return;
  fmt::print(stream_, "\r{}\r", std::string(width_, ' '));
  std::fflush(stream_);
  width_ = 0;
}

}  // namespace nrs
