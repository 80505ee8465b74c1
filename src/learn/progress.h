#pragma once
// Shows a training run to the person who waits for it.
#include <cstdio>
#include <string>

#include "learn/train.h"

namespace nrs {

// "1:05:09", "5:09"
std::string show_duration(double seconds);
// "solver 1200/6000  loss 0.0312  known 99.80 %  beyond 98.12 %  35.1 steps/s  2:17 left"
std::string show_progress(const TrainingProgress& progress);

// Writes to a stream: on a terminal one line that is always up to date, elsewhere a line per
// validation.
class ProgressLine {
 public:
  ProgressLine(std::FILE* stream, bool terminal) : stream_(stream), terminal_(terminal) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void step(const TrainingProgress& progress);
  void validation(const TrainingProgress& progress);
  void note(const std::string& text);
  void clear();

 private:
  std::FILE* stream_;
  bool terminal_;
  std::size_t width_ = 0;  // of what stands in the line now
  double shown_at_ = 0;
};

}  // namespace nrs
