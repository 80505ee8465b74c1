#pragma once
// Whole sub-layers as single differentiable operations: matrix products by the BLAS, everything
// between them by our kernels, in single precision. The tests have a plain twin of each, made of
// torch operations.
//
// N tokens of packed rows, D width, H heads, S slots of a window, F width of the feed-forward
// layer. A tensor called optional may be undefined.
#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "nn/config.h"
#include "nn/packing.h"

namespace nrs::learn {

// Shared: the backward pass needs it after the batch is gone.
using Rows = std::shared_ptr<const nn::Packing>;

struct SelfAttentionWeights {
  torch::Tensor in;          // [3D, D]
  torch::Tensor in_bias;     // [3D]
  torch::Tensor out;         // [D, D]
  torch::Tensor slot_bias;   // [S, H] optional
  torch::Tensor slot_value;  // [S, D] optional
};
struct SelfAttentionShape {
  int heads = 1;
  bool causal = false;
  int window = 0;
  int dilation = 0;  // 0: no window
};
struct CrossAttentionWeights {
  torch::Tensor query;        // [D, D]
  torch::Tensor query_bias;   // [D]
  torch::Tensor memory;       // [2D, D]
  torch::Tensor memory_bias;  // [2D]
  torch::Tensor out;          // [D, D]
  torch::Tensor match_bias;   // [H] optional: attends to the last match instead of by softmax
};
struct FeedForwardWeights {
  torch::Tensor up;       // [F, D]
  torch::Tensor up_bias;  // [F]
  torch::Tensor down;     // [D, F]
};
struct AddNormInput {
  torch::Tensor x;       // [N, D] optional
  torch::Tensor update;  // [N, D] optional
  torch::Tensor bias;    // [D] optional
  torch::Tensor gamma;   // [D]
  torch::Tensor beta;    // [D]
};
struct AddNormOutput {
  torch::Tensor sum;     // [N, D]
  torch::Tensor normed;  // [N, D]
};
// A row of the table for each token; none where the index is below 0.
struct TableLookup {
  torch::Tensor table;  // [rows, D]
  torch::Tensor index;  // [N] int32
};
struct TokenLoss {
  torch::Tensor mean;     // scalar
  torch::Tensor each;     // [N], without gradient
  torch::Tensor correct;  // [N] bool: the target is the likeliest class
};

// x [N, D]; returns [N, D] without the bias of the output projection.
torch::Tensor self_attention(const torch::Tensor& x, const SelfAttentionWeights& weights,
                             const Rows& rows, const SelfAttentionShape& shape);
struct CrossRows {
  Rows queries;
  Rows keys;
};
// x [N, D] attends to memory [M, D], row by row. Returns [N, D] without the output bias.
torch::Tensor cross_attention(const torch::Tensor& x, const torch::Tensor& memory,
                              const CrossAttentionWeights& weights, const CrossRows& rows,
                              int heads);
// Attention to the nearest match (learn/kernels/kernels.h says what it computes). x [N, 3D + 2H]:
// query, key and value of each token, and its bias towards keys on its right and on its left for
// each head; scale [3]: of query . key, of that bias, and a bias of all. Returns [N, D].
torch::Tensor geometric_attention(const torch::Tensor& x, const torch::Tensor& scale,
                                  const Rows& rows, int heads);
// x [N, D]; returns [N, D] without the bias of the second layer.
torch::Tensor feed_forward(const torch::Tensor& x, const FeedForwardWeights& weights,
                           nn::Activation activation);
// sum = x + update + bias; normed = its layer norm.
AddNormOutput add_norm(const AddNormInput& input);
// x [N, D] goes to c as far as its gate is open, 1 / (1 + e^-gate).
torch::Tensor gated(const torch::Tensor& x, const torch::Tensor& c, const torch::Tensor& gate);
// The sum of all lookups, [N, D].
torch::Tensor embed(const std::vector<TableLookup>& lookups);
// Any shape; a share of the elements becomes 0, chosen by the seed and the index of each. The first
// one has index `first`.
torch::Tensor seeded_dropout(const torch::Tensor& x, double share, std::uint64_t seed,
                             std::int64_t first = 0);
// Cross-entropy of logits [N, V] with targets [N] int32.
TokenLoss token_loss(const torch::Tensor& logits, const torch::Tensor& targets);

}  // namespace nrs::learn
