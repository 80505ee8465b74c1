#pragma once
// Which engine a verb runs, and how.
#include <cstdint>
#include <optional>
#include <string>

#include "runtime/running_model.h"

namespace nrs {

struct EngineChoice {
  std::string engine;  // empty: what the model is made for
  std::optional<int> samples;
  std::optional<int> window_threshold;
  std::uint64_t sample_seed = 0;

  bool oracle() const { return engine == "oracle"; }
  LeafWriterOptions writer() const {
    LeafWriterOptions options{.window_threshold = window_threshold, .seed = sample_seed};
    if (samples) options.samples = *samples, options.retry = 0;
    return options;
  }
  // Throws Error (usage) if the model cannot run this.
  void check(const RunningModel& model) const;
};

}  // namespace nrs
