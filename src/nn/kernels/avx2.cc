// The kernels once more, compiled for processors with AVX2: see CMakeLists.txt for the flags.
#define NRS_COPY avx2
#include "nn/kernels/copy.h"
