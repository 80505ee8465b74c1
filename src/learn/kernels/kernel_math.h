#pragma once
// How the kernels share their work among threads.
#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "nn/fast_math.h"
#include "nn/packing.h"

namespace nrs::kernels {

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
