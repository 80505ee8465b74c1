#pragma once
// Shows a training run to the person who waits for it.
#include <cstdio>
#include <string>

#include "base/status_line.h"
#include "learn/train/train.h"

namespace nrs::learn {

// "solver 1200/6000  loss 0.0312  in-distribution 99.80 %  out-of-distribution 98.12 %
//  35.1 steps/s  2:17 left", in one line.
std::string show_progress(const TrainingProgress& progress);

// Writes to a stream: on a terminal one line that is always up to date, elsewhere a line per
// validation.
class ProgressLine {
 public:
  ProgressLine(std::FILE* stream, bool terminal) : line_(stream, terminal) {}

  void step(const TrainingProgress& progress);
  void validation(const TrainingProgress& progress);
  void note(const std::string& text) { line_.note(text); }
  void clear() { line_.clear(); }

 private:
  StatusLine line_;
};

}  // namespace nrs::learn
