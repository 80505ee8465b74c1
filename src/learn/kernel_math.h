#pragma once
// Small functions that the compiler turns into vector code inside the kernels' loops.
#include <omp.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "learn/packing.h"

namespace nrs::kernels {

// e^x to float accuracy for x in [-87, 88], clamped outside; NaN stays NaN. Branch-free.
inline float fast_exp(float x) {
  constexpr float kLog2E = 1.44269504F;
  constexpr float kLn2High = 0.693145752F;   // ln 2 in two parts, the first with few bits, so that
  constexpr float kLn2Low = 1.42860677e-6F;  // n * kLn2High is exact
  constexpr float kRound = 12582912.0F;      // 1.5 * 2^23: adding it rounds to an integer
  x = std::min(std::max(x, -87.0F), 88.0F);
  const float n = (x * kLog2E + kRound) - kRound;
  const float r = (x - n * kLn2High) - n * kLn2Low;  // |r| <= ln 2 / 2: a short Taylor series does
  float p = 1.0F / 5040;
  p = p * r + 1.0F / 720;
  p = p * r + 1.0F / 120;
  p = p * r + 1.0F / 24;
  p = p * r + 1.0F / 6;
  p = p * r + 0.5F;
  p = p * r + 1.0F;
  p = p * r + 1.0F;
  const auto power = static_cast<std::uint32_t>(static_cast<std::int32_t>(n) + 127) << 23U;
  return p * std::bit_cast<float>(power);
}

// GELU (the exact one, with erf) and its slope.
struct ValueAndSlope {
  float value;
  float slope;
};
inline ValueAndSlope gelu(float x) {
  // erf by Abramowitz and Stegun 7.1.26, whose error of 1.5e-7 is that of a float.
  const float z = std::max(x, -x) * 0.70710678F;
  const float t = 1.0F / (1.0F + 0.3275911F * z);
  const float bell = fast_exp(-z * z);
  float p = 1.061405429F;
  p = p * t - 1.453152027F;
  p = p * t + 1.421413741F;
  p = p * t - 0.284496736F;
  p = p * t + 0.254829592F;
  const float tail = 0.5F * p * t * bell;  // P(Z > |x|)
  const float phi = x < 0 ? tail : 1.0F - tail;
  return {x * phi, phi + x * bell * 0.39894228F};
}

// Rows of a packing that part `part` of `parts` works on: about equally many tokens each.
inline std::pair<std::int64_t, std::int64_t> rows_of_part(const Packing& packing, int part,
                                                          int parts) {
  const auto& offsets = packing.offsets();
  const auto first_row = [&](int p) {
    const std::int64_t token = packing.tokens() * p / parts;
    return std::lower_bound(offsets.begin(), offsets.end() - 1, token) - offsets.begin();
  };
  return {part == 0 ? 0 : first_row(part),
          part + 1 == parts ? packing.rows() : first_row(part + 1)};
}

// Calls work(part, parts) on every thread of a team.
template <class Work>
void for_each_part(const Work& work) {
  const int parts = omp_get_max_threads();
  if (parts == 1) {
    work(0, 1);
    return;
  }
#pragma omp parallel num_threads(parts)
  work(omp_get_thread_num(), omp_get_num_threads());
}

struct Slice {
  std::int64_t begin;
  std::int64_t end;
};
inline Slice slice_of_part(std::int64_t count, int part, int parts) {
  return {count * part / parts, count * (part + 1) / parts};
}

// One buffer of `count` floats per thread, added up in the order of the threads.
class Partials {
 public:
  explicit Partials(std::int64_t count)
      : count_(count), sums_(static_cast<std::size_t>(count * omp_get_max_threads()), 0.0F) {}

  float* of(int part) { return sums_.data() + part * count_; }
  // out[i] = the sum of element first + i over the threads; nothing if out is null.
  void add_up(std::int64_t first, std::int64_t count, float* out) const {
    if (out == nullptr) return;
    for (std::int64_t i = 0; i < count; ++i) {
      float sum = 0;
      for (std::size_t at = static_cast<std::size_t>(first + i); at < sums_.size();
           at += static_cast<std::size_t>(count_)) {
        sum += sums_[at];
      }
      out[i] = sum;
    }
  }

 private:
  std::int64_t count_;
  std::vector<float> sums_;
};

}  // namespace nrs::kernels
