// The kernels once more, compiled for processors with AVX-512: see CMakeLists.txt for the flags.
#define NRS_COPY avx512
#include "nn/kernels/copy.h"
