#include "learn/thresholds.h"

#include <algorithm>
#include <cmath>
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

int calibrate_windows(std::vector<LengthConfidence> formulas, const ThresholdConfig& config) {
  if (config.windows_from != ThresholdConfig::kCalibrateWindows) return config.windows_from;
  // Means of single lengths would be those of a few formulas.
  constexpr std::size_t kGroup = 40;
  std::stable_sort(formulas.begin(), formulas.end(),
                   [](const auto& a, const auto& b) { return a.tokens < b.tokens; });
  for (std::size_t begin = 0; begin + kGroup <= formulas.size(); begin += kGroup) {
    double sum = 0;
    for (std::size_t i = begin; i < begin + kGroup; ++i) sum += std::exp(formulas[i].log_prob);
    if (sum < config.window_confidence * static_cast<double>(kGroup)) {
      return static_cast<int>(formulas[begin].tokens);
    }
  }
  return 0;
}

}  // namespace nrs
