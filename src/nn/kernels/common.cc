// The kernels, compiled as all else is.
#define NRS_COPY common
#include "nn/kernels/copy.h"
