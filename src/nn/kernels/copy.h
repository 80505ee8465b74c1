#pragma once
// All kernels in namespace NRS_COPY, which the file that includes this has defined. It includes
// nothing else.
#include "nn/kernels.h"
#include "nn/kernels/attention.h"
#include "nn/kernels/nearest_match.h"
#include "nn/kernels/product.h"
#include "nn/kernels/rows.h"

#define NRS_NAME_OF(copy) #copy
#define NRS_NAME(copy) NRS_NAME_OF(copy)

namespace nrs::nn::NRS_COPY {

extern const Kernels kKernels;
constinit const Kernels kKernels = {
    .name = NRS_NAME(NRS_COPY),
    .panel = kPanel,
    .multiply = multiply<false>,
    .multiply_add = multiply<true>,
    .norm_rows = norm_rows,
    .relu_rows = relu_rows,
    .gelu_rows = gelu_rows,
    .gate_rows = gate_rows,
    .attend = attend,
    .attend_window = attend_window,
    .attend_last_match = attend_last_match,
    .attend_nearest_match = attend_nearest_match,
};

}  // namespace nrs::nn::NRS_COPY
