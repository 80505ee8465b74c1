#pragma once
// The plain twins of learn/nets/fused.h: the same functions made of torch operations only, in any
// precision. The fused ones are measured by them.
#include "learn/nets/fused.h"

namespace nrs::learn::reference {

torch::Tensor self_attention(const torch::Tensor& x, const SelfAttentionWeights& weights,
                             const Rows& rows, const SelfAttentionShape& shape);
torch::Tensor cross_attention(const torch::Tensor& x, const torch::Tensor& memory,
                              const CrossAttentionWeights& weights, const CrossRows& rows,
                              int heads);
torch::Tensor geometric_attention(const torch::Tensor& x, const torch::Tensor& scale,
                                  const Rows& rows, int heads);
// z [..., L, L], open [..., L, L] bool: which keys a query may see, itself not among them. Returns
// the weights of attention to the nearest match, of the same shape, in O(L^2): sums of logarithms
// between two places are differences of prefix sums.
torch::Tensor geometric_weights(const torch::Tensor& z, const torch::Tensor& open);
torch::Tensor feed_forward(const torch::Tensor& x, const FeedForwardWeights& weights,
                           nn::Activation activation);
AddNormOutput add_norm(const AddNormInput& input);
torch::Tensor gated(const torch::Tensor& x, const torch::Tensor& c, const torch::Tensor& gate);
torch::Tensor embed(const std::vector<TableLookup>& lookups);
torch::Tensor seeded_dropout(const torch::Tensor& x, double share, std::uint64_t seed,
                             std::int64_t first);
TokenLoss token_loss(const torch::Tensor& logits, const torch::Tensor& targets);

}  // namespace nrs::learn::reference
