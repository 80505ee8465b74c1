// The kernels as a build for any x86-64 has them, also where all else is compiled for this
// processor.
#define NRS_COPY x86_64
#include "nn/kernels/copy.h"
