#include "plain_twins.h"

#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "learn/kernels/kernels.h"
#include "nn/kernels.h"

namespace nrs::learn::reference {
namespace {

// Packed rows as a padded batch and back.
struct Padding {
  torch::Tensor token;  // [B * L] int64: the packed token at each place, 0 for padding
  torch::Tensor real;   // [B, L] bool
  torch::Tensor place;  // [N] int64: where each packed token went
  std::int64_t rows, length;

  explicit Padding(const nn::Packing& packing) : rows(packing.rows()), length(1) {
    for (std::int64_t r = 0; r < rows; ++r) length = std::max(length, packing.length(r));
    token = torch::zeros({rows * length}, torch::kInt64);
    real = torch::zeros({rows, length}, torch::kBool);
    place = torch::empty({packing.tokens()}, torch::kInt64);
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t i = 0; i < packing.length(r); ++i) {
        token.data_ptr<std::int64_t>()[r * length + i] = packing.begin(r) + i;
        real.data_ptr<bool>()[r * length + i] = true;
        place.data_ptr<std::int64_t>()[packing.begin(r) + i] = r * length + i;
      }
    }
  }
  // [N, D] -> [B, H, L, D / H]
  torch::Tensor heads(const torch::Tensor& x, int count) const {
    return x.index_select(0, token).view({rows, length, count, -1}).transpose(1, 2);
  }
  // [B, H, L, D / H] -> [N, D]
  torch::Tensor packed(const torch::Tensor& x) const {
    return x.transpose(1, 2).reshape({rows * length, -1}).index_select(0, place);
  }
};

struct QueryKeyValue {
  torch::Tensor q, k, v;  // [N, D], [M, D], [M, D]
};

// Each key's share of what the keys behind it have left over, in logarithms.
torch::Tensor last_match(const torch::Tensor& scores, const torch::Tensor& bias,
                         const torch::Tensor& open) {
  const torch::Tensor shifted = (scores + bias.view({1, -1, 1, 1})).masked_fill(~open, -1e30);
  const torch::Tensor left = torch::log_sigmoid(-shifted);
  const torch::Tensor behind = left.flip({-1}).cumsum(-1).flip({-1}) - left;
  return (torch::log_sigmoid(shifted) + behind).exp().masked_fill(~open, 0);
}

// match_bias [heads]: undefined for softmax.
torch::Tensor attend(const QueryKeyValue& in, const CrossRows& rows, int heads, bool causal,
                     const torch::Tensor& match_bias = {}) {
  const Padding queries(*rows.queries), keys(*rows.keys);
  const torch::Tensor q = queries.heads(in.q, heads);
  torch::Tensor open = keys.real.view({keys.rows, 1, 1, keys.length})
                           .expand({keys.rows, 1, queries.length, keys.length});
  if (causal) open = open & torch::ones({queries.length, keys.length}, open.options()).tril();
  const torch::Tensor scores = q.matmul(keys.heads(in.k, heads).transpose(-1, -2)) /
                               std::sqrt(static_cast<double>(q.size(-1)));
  // Finite instead of -inf, and closed weights set to 0: a query that sees no key gets zeros.
  const torch::Tensor weights =
      match_bias.defined() ? last_match(scores, match_bias, open)
                           : scores.masked_fill(~open, -1e30).softmax(-1).masked_fill(~open, 0);
  return queries.packed(weights.matmul(keys.heads(in.v, heads)));
}

// The neighbour of each token in each slot, [N, S]; -1 where the row ends before it.
torch::Tensor neighbours(const nn::Packing& packing, const SelfAttentionShape& shape) {
  const int slots = 2 * shape.window + 1;
  torch::Tensor index = torch::full({packing.tokens(), slots}, -1, torch::kInt64);
  auto* to = index.data_ptr<std::int64_t>();
  for (std::int64_t r = 0; r < packing.rows(); ++r) {
    for (std::int64_t i = packing.begin(r); i < packing.end(r); ++i) {
      for (int s = 0; s < slots; ++s) {
        const std::int64_t j = i + static_cast<std::int64_t>(s - shape.window) * shape.dilation;
        if (j >= packing.begin(r) && j < packing.end(r)) to[i * slots + s] = j;
      }
    }
  }
  return index;
}

torch::Tensor attend_window(const QueryKeyValue& in, const SelfAttentionWeights& weights,
                            const nn::Packing& packing, const SelfAttentionShape& shape) {
  const torch::Tensor index = neighbours(packing, shape);
  const std::int64_t tokens = index.size(0), slots = index.size(1), dim = in.q.size(1);
  const torch::Tensor from = index.clamp_min(0).view({-1});
  const auto slotted = [&](const torch::Tensor& x) {
    return x.index_select(0, from).view({tokens, slots, dim});
  };
  const auto by_head = [&](const torch::Tensor& x) {
    return x.view({tokens, -1, shape.heads, dim / shape.heads});
  };
  torch::Tensor scores = (by_head(in.q) * by_head(slotted(in.k))).sum(-1) /
                         std::sqrt(static_cast<double>(dim / shape.heads));  // [N, S, H]
  if (weights.slot_bias.defined()) scores = scores + weights.slot_bias;
  scores = scores.masked_fill((index < 0).unsqueeze(-1), -1e30).softmax(1);
  torch::Tensor values = slotted(in.v);
  if (weights.slot_value.defined()) values = values + weights.slot_value;
  return (scores.unsqueeze(-1) * by_head(values)).sum(1).reshape({tokens, dim});
}

// Sums of the keys between two places, as in Z[high] - Z[low], for every query (row) and key.
struct Between {
  torch::Tensor low, high;  // [L, L] int64

  explicit Between(std::int64_t length)
      : low(torch::zeros({length, length}, torch::kInt64)), high(torch::zeros_like(low)) {
    auto *lows = low.data_ptr<std::int64_t>(), *highs = high.data_ptr<std::int64_t>();
    for (std::int64_t i = 0; i < length; ++i) {
      for (std::int64_t j = 0; j < length; ++j) {
        // Nearer than a key on the right is what lies strictly between it and its mirror image; of
        // a key on the left also the mirror image itself.
        const std::int64_t mirror = 2 * i - j;
        const std::int64_t last = j > i ? j - 1 : std::min(mirror, length - 1);
        const std::int64_t before = j > i ? std::max<std::int64_t>(mirror, -1) : j;
        lows[i * length + j] = before + 1;
        highs[i * length + j] = last + 1;
      }
    }
  }
};

}  // namespace

torch::Tensor self_attention(const torch::Tensor& x, const SelfAttentionWeights& weights,
                             const Rows& rows, const SelfAttentionShape& shape) {
  const auto parts = torch::linear(x, weights.in, weights.in_bias).chunk(3, -1);
  const QueryKeyValue in{parts[0], parts[1], parts[2]};
  const torch::Tensor context = shape.dilation > 0
                                    ? attend_window(in, weights, *rows, shape)
                                    : attend(in, {rows, rows}, shape.heads, shape.causal);
  return torch::linear(context, weights.out);
}

torch::Tensor cross_attention(const torch::Tensor& x, const torch::Tensor& memory,
                              const CrossAttentionWeights& weights, const CrossRows& rows,
                              int heads) {
  const torch::Tensor q = torch::linear(x, weights.query, weights.query_bias);
  const auto parts = torch::linear(memory, weights.memory, weights.memory_bias).chunk(2, -1);
  const QueryKeyValue in{q, parts[0], parts[1]};
  return torch::linear(attend(in, rows, heads, /*causal=*/false, weights.match_bias), weights.out);
}

torch::Tensor geometric_weights(const torch::Tensor& z, const torch::Tensor& open) {
  // Finite instead of -inf, and closed weights set to 0: infinities have no gradient.
  const torch::Tensor shifted = z.masked_fill(~open, -1e30);
  const torch::Tensor rest = torch::log_sigmoid(-shifted);
  const torch::Tensor sums = torch::constant_pad_nd(rest.cumsum(-1), {1, 0}, 0);
  const Between between(z.size(-1));
  const auto pick = [&](const torch::Tensor& index) {
    return sums.gather(-1, index.expand(z.sizes()));
  };
  const torch::Tensor nearer = pick(between.high) - pick(between.low);
  return (torch::log_sigmoid(shifted) + nearer).exp().masked_fill(~open, 0);
}

torch::Tensor geometric_attention(const torch::Tensor& x, const torch::Tensor& scale,
                                  const Rows& rows, int heads) {
  const std::int64_t dim = (x.size(1) - 2 * heads) / 3;
  const Padding padding(*rows);
  const auto part = [&](std::int64_t first, std::int64_t width) {
    return padding.heads(x.narrow(1, first, width), heads);
  };
  const torch::Tensor q = part(0, dim), k = part(dim, dim), v = part(2 * dim, dim);
  const torch::Tensor right = part(3 * dim, heads),
                      left = part(3 * dim + heads, heads);  // [B, H, L, 1]
  const auto square =
      torch::ones({padding.length, padding.length}, padding.real.options());  // bool
  const torch::Tensor side = torch::where(square.triu(1), right, left);
  const torch::Tensor z = scale[0] * q.matmul(k.transpose(-1, -2)) + scale[1] * side + scale[2];
  const torch::Tensor others = square.triu(1) | square.tril(-1);
  const torch::Tensor open =
      (padding.real.view({padding.rows, 1, 1, padding.length}) & others).expand(z.sizes());
  return padding.packed(geometric_weights(z, open).matmul(v));
}

torch::Tensor feed_forward(const torch::Tensor& x, const FeedForwardWeights& weights,
                           nn::Activation activation) {
  const torch::Tensor hidden = torch::linear(x, weights.up, weights.up_bias);
  return torch::linear(
      activation == nn::Activation::kGelu ? torch::gelu(hidden) : torch::relu(hidden),
      weights.down);
}

AddNormOutput add_norm(const AddNormInput& input) {
  torch::Tensor sum;
  for (const torch::Tensor& part : {input.x, input.update, input.bias}) {
    if (part.defined()) sum = sum.defined() ? sum + part : part;
  }
  return {sum, torch::layer_norm(sum, {sum.size(-1)}, input.gamma, input.beta, nn::kNormEpsilon)};
}

torch::Tensor gated(const torch::Tensor& x, const torch::Tensor& c, const torch::Tensor& gate) {
  return torch::lerp(x, c, torch::sigmoid(gate));
}

torch::Tensor embed(const std::vector<TableLookup>& lookups) {
  torch::Tensor sum;
  for (const TableLookup& lookup : lookups) {
    const torch::Tensor index = lookup.index.to(torch::kInt64);
    const torch::Tensor rows =
        lookup.table.index_select(0, index.clamp_min(0)).masked_fill((index < 0).unsqueeze(-1), 0);
    sum = sum.defined() ? sum + rows : rows;
  }
  return sum;
}

torch::Tensor seeded_dropout(const torch::Tensor& x, double share, std::uint64_t seed,
                             std::int64_t first) {
  torch::Tensor scale = torch::ones(x.sizes(), torch::kFloat);
  auto* to = scale.data_ptr<float>();
  kernels::dropout(scale.numel(), {share, seed, first}, to, to);
  return x * scale.to(x.options());
}

TokenLoss token_loss(const torch::Tensor& logits, const torch::Tensor& targets) {
  const torch::Tensor classes = targets.to(torch::kInt64);
  const torch::Tensor each = -logits.log_softmax(-1).gather(1, classes.unsqueeze(1)).squeeze(1);
  return {each.mean(), each.detach(), logits.detach().argmax(-1) == classes};
}

}  // namespace nrs::learn::reference
