#include "learn/thresholds.h"

#include <algorithm>
#include <cstddef>

namespace nrs {

double calibrate_threshold(std::vector<double> log_probs, const ThresholdConfig& config) {
  if (!config.calibrate || log_probs.empty()) return config.fixed;
  const auto rank =
      static_cast<std::ptrdiff_t>(config.quantile * static_cast<double>(log_probs.size() - 1));
  std::nth_element(log_probs.begin(), log_probs.begin() + rank, log_probs.end());
  // Unseen leaves score a little lower than seen ones: hence the margin. And a Solver that knows
  // all its leaves by heart would leave no room at all: hence the limit.
  return std::min(config.margin * log_probs[static_cast<std::size_t>(rank)], config.strictest);
}

}  // namespace nrs
