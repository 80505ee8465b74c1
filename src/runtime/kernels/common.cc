// The kernels, compiled as all else is.
#define NRS_COPY common
#include "runtime/kernels/copy.h"
