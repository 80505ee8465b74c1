#include "nn/kernels.h"

#include <algorithm>

namespace nrs::nn {
namespace {

const Kernels& choose() {
#ifdef NRS_KERNEL_COPIES
  if (has_avx512()) return avx512::kKernels;
  if (has_avx2()) return avx2::kKernels;
#endif
  return common::kKernels;
}

}  // namespace

bool has_avx2() {
#ifdef __x86_64__
  __builtin_cpu_init();  // we may be called before main
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

bool has_avx512() {
#ifdef __x86_64__
  return has_avx2() && __builtin_cpu_supports("avx512f");
#else
  return false;
#endif
}

std::int64_t nearest_room(HeadShape shape, std::int64_t count) {
  const std::int64_t width = shape.dim / shape.heads, together = kNearestTogether;
  return (3 * width + 2) * (count + 3 * together) + width * together;
}

std::int64_t nearest_shares(std::int64_t count) {
  std::int64_t shares = 0;
  for (std::int64_t block = 0; block < count; block += kNearestTogether) {
    const std::int64_t right = count - 1 - block;
    const std::int64_t left = std::min(block + kNearestTogether, count) - 1;
    shares += (right + left) * kNearestTogether;
  }
  return shares;
}

const Kernels& best_kernels() {
  static const Kernels& best = choose();
  return best;
}

}  // namespace nrs::nn
