#pragma once
// Attention to the nearest match (geometric_kernels.h says what it computes), differentiable: by
// our kernels on a processor in single precision, by torch operations in logarithms anywhere else.
#include <torch/types.h>

#include "learn/nets/fused.h"

namespace nrs::learn {

// x [N, 3D + 2H]: query, key and value of each token, and its bias towards keys on its right and on
// its left for each head; scale [3]: of query . key, of that bias, and a bias of all. Returns
// [N, D].
torch::Tensor geometric_attention(const torch::Tensor& x, const torch::Tensor& scale,
                                  const Rows& rows, int heads);

namespace reference {

torch::Tensor geometric_attention(const torch::Tensor& x, const torch::Tensor& scale,
                                  const Rows& rows, int heads);
// z [..., L, L], open [..., L, L] bool: which keys a query may see, itself not among them. Returns
// A of the same shape, in O(L^2): sums of logarithms between two places are differences of prefix
// sums.
torch::Tensor geometric_weights(const torch::Tensor& z, const torch::Tensor& open);

}  // namespace reference
}  // namespace nrs::learn
