#include "runtime/sampling.h"

#include <algorithm>
#include <cmath>

#include "nn/fast_math.h"

namespace nrs::runtime {
namespace {

// Counts up the probabilities of 0, 1, 2 ... events until a uniform number is reached. The
// probability is at most 1/2 and the count at most this, so that the first one is above 0.
constexpr int kMostAtOnce = 1000;

int invert_binomial(int count, double probability, Rng& rng) {
  const double odds = probability / (1 - probability);
  double mass = std::exp(count * std::log1p(-probability));
  double left = rng.uniform() - mass;
  int happened = 0;
  while (left >= 0 && happened < count) {
    ++happened;
    mass *= odds * (count - happened + 1) / happened;
    left -= mass;
  }
  return happened;
}

}  // namespace

int draw_binomial(int count, double probability, Rng& rng) {
  if (probability > 0.5) return count - draw_binomial(count, 1 - probability, rng);
  if (!(probability > 0)) return 0;
  int happened = 0;
  for (; count > kMostAtOnce; count -= kMostAtOnce) {
    happened += invert_binomial(kMostAtOnce, probability, rng);
  }
  return happened + invert_binomial(count, probability, rng);
}

Branch likeliest(const float* logits, int vocabulary) {
  const auto symbol = static_cast<int>(std::max_element(logits, logits + vocabulary) - logits);
  double others = 0;
  for (int i = 0; i < vocabulary; ++i) {
    if (i != symbol) others += nn::common::fast_exp(logits[i] - logits[symbol]);
  }
  return {.symbol = symbol, .samples = 1, .log_prob = -std::log1p(others)};
}

void draw_branches(const float* logits, int vocabulary, int samples, Rng& rng,
                   std::vector<Branch>& branches) {
  branches.clear();
  Branch best = likeliest(logits, vocabulary);
  double rest = std::expm1(-best.log_prob);  // of all others, relative to the likeliest
  const int elsewhere = draw_binomial(samples, rest / (1 + rest), rng);
  best.samples = samples - elsewhere;
  if (best.samples > 0) branches.push_back(best);
  int left = elsewhere;
  for (int i = 0; i < vocabulary && left > 0; ++i) {
    if (i == best.symbol) continue;
    const double mass = nn::common::fast_exp(logits[i] - logits[best.symbol]);
    const bool last = i + 1 == vocabulary || (i + 2 == vocabulary && i + 1 == best.symbol);
    // Rounding may leave a little less than the last masses.
    const int here = last || mass >= rest ? left : draw_binomial(left, mass / rest, rng);
    rest -= mass;
    left -= here;
    if (here > 0) branches.push_back({i, here, best.log_prob + std::log(mass)});
  }
}

}  // namespace nrs::runtime
