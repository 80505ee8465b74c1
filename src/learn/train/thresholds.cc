#include "learn/train/thresholds.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>

namespace nrs::learn {

namespace {

// The lowest threshold, at least `least`, that lets through few enough wrong values.
double above_wrong(RightAnswers answers, double least, double most_wrong) {
  std::vector<double>& right = answers.unseen;
  std::vector<double>& wrong = answers.wrong;
  std::ranges::sort(right, std::greater<>());
  std::ranges::sort(wrong, std::greater<>());
  double threshold = least;
  // From the surest wrong value on: how many right ones stand above each?
  for (std::size_t i = wrong.size(); i-- > 0;) {
    if (wrong[i] < threshold) continue;
    const auto above = std::upper_bound(right.begin(), right.end(), wrong[i], std::greater<>());
    const auto rights = static_cast<double>(above - right.begin());
    const auto wrongs = static_cast<double>(i + 1);
    if (wrongs <= most_wrong * (rights + wrongs)) break;
    threshold = std::nextafter(wrong[i], 1.0);
  }
  return threshold;
}

}  // namespace

double calibrate_threshold(RightAnswers answers, const recipe::ThresholdConfig& config) {
  // Those that were kept from it tell what to expect; without them all that it knows must do. If it
  // knows all that there are, none of them is lost. The margin is for leaves that are not among
  // these, and for the stored model, whose sums are rounded otherwise: at the very score of a
  // leaf, that leaf would be refused.
  std::vector<double>& scores = answers.unseen.empty() ? answers.seen : answers.unseen;
  if (!config.calibrate || scores.empty()) return config.fixed;
  const auto rank = static_cast<std::ptrdiff_t>(
      answers.complete ? 0 : config.quantile * static_cast<double>(scores.size() - 1));
  std::nth_element(scores.begin(), scores.begin() + rank, scores.end());
  const double threshold =
      std::min(config.margin * scores[static_cast<std::size_t>(rank)], config.strictest);
  return above_wrong(std::move(answers), threshold, config.most_wrong);
}

int calibrate_windows(std::vector<LengthConfidence> formulas,
                      const recipe::ThresholdConfig& config) {
  if (config.windows_from != recipe::ThresholdConfig::kCalibrateWindows) return config.windows_from;
  // Means of single lengths would be those of a few formulas.
  constexpr std::size_t kGroup = 40;
  std::ranges::stable_sort(formulas, {}, &LengthConfidence::tokens);
  for (std::size_t begin = 0; begin + kGroup <= formulas.size(); begin += kGroup) {
    double sum = 0;
    for (std::size_t i = begin; i < begin + kGroup; ++i) sum += std::exp(formulas[i].log_prob);
    if (sum < config.window_confidence * static_cast<double>(kGroup)) {
      return static_cast<int>(formulas[begin].tokens);
    }
  }
  return 0;
}

}  // namespace nrs::learn
