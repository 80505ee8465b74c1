#include "nn/kernels.h"

namespace nrs::nn {
namespace {

const Kernels& choose() {
#ifdef NRS_AVX2_COPY
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

const Kernels& best_kernels() {
  static const Kernels& best = choose();
  return best;
}

}  // namespace nrs::nn
