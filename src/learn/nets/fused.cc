#include "learn/nets/fused.h"

#include <torch/autograd.h>

#include "learn/kernels/kernels.h"
#include "learn/nets/autograd_kept.h"
#include "learn/nets/reference.h"
#include "nn/kernels.h"

namespace nrs::learn {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::tensor_list;

bool has_kernels(const Tensor& x) {
  return x.is_cpu() && x.scalar_type() == torch::kFloat;
}

// An argument that may be missing. (Autograd does not take undefined tensors.)
using Maybe = c10::optional<Tensor>;
Maybe maybe(const Tensor& x) {
  return x.defined() ? Maybe(x) : Maybe();
}
Tensor value_of(const Maybe& x) {
  return x.has_value() ? *x : Tensor();
}

float* data(const Tensor& x) {
  return x.defined() ? x.data_ptr<float>() : nullptr;
}

kernels::Size size_of(const Tensor& x) {
  return {x.size(0), x.size(1)};
}

// Column block `part` of the width of D out of x [N, k * D].
kernels::In in_block(const Tensor& x, std::int64_t part, std::int64_t dim) {
  return {data(x) + part * dim, x.size(1)};
}
kernels::Out out_block(const Tensor& x, std::int64_t part, std::int64_t dim) {
  return {data(x) + part * dim, x.size(1)};
}

Tensor sums_of_columns(const Tensor& x) {
  Tensor sums = torch::empty({x.size(1)}, x.options());
  kernels::column_sums(size_of(x), data(x), data(sums));
  return sums;
}

struct SelfKept {
  Rows rows;
  SelfAttentionShape shape;

  kernels::AttentionShape full(std::int64_t dim) const {
    return {*rows, *rows, shape.heads, static_cast<int>(dim), shape.causal};
  }
  kernels::WindowShape windowed(std::int64_t dim) const {
    return {*rows, shape.heads, static_cast<int>(dim), shape.window, shape.dilation};
  }
};

struct FusedSelfAttention : Function<FusedSelfAttention> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& in,
                        const Tensor& in_bias, const Tensor& out, const Maybe& maybe_bias,
                        const Maybe& maybe_value, const SelfKept& self) {
    const Tensor slot_bias = value_of(maybe_bias), slot_value = value_of(maybe_value);
    const std::int64_t dim = x.size(1);
    const Tensor qkv = torch::addmm(in_bias, x, in.t());
    const Tensor mixed = torch::empty_like(x);
    Tensor weights;
    if (self.shape.dilation > 0) {
      const auto shape = self.windowed(dim);
      weights = torch::empty({x.size(0) * shape.heads * shape.slots()}, x.options());
      kernels::window_forward(shape, {data(qkv), data(slot_bias), data(slot_value)}, data(weights),
                              data(mixed));
    } else {
      const auto shape = self.full(dim);
      weights = torch::empty({kernels::attention_weight_offsets(shape).back()}, x.options());
      kernels::attention_forward(
          shape, {in_block(qkv, 0, dim), in_block(qkv, 1, dim), in_block(qkv, 2, dim)},
          data(weights), out_block(mixed, 0, dim));
    }
    context->save_for_backward({x, in, out, slot_bias, slot_value, qkv, weights, mixed});
    keep(context, self);
    return torch::mm(mixed, out.t());
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor &x = saved[0], &in = saved[1], &out = saved[2], &qkv = saved[5];
    const Tensor &weights = saved[6], &mixed = saved[7];
    const auto& self = kept<SelfKept>(context);
    const std::int64_t dim = x.size(1);
    const Tensor from = gradients[0].contiguous();
    const Tensor mixed_gradient = torch::mm(from, out);
    const Tensor to = torch::empty_like(qkv);
    const auto like = [](const Tensor& t) { return t.defined() ? torch::empty_like(t) : Tensor(); };
    const Tensor slot_bias = like(saved[3]), slot_value = like(saved[4]);
    if (self.shape.dilation > 0) {
      kernels::window_backward(self.windowed(dim), {data(qkv), data(saved[3]), data(saved[4])},
                               data(weights), data(mixed_gradient),
                               {data(to), data(slot_bias), data(slot_value)});
    } else {
      kernels::attention_backward(
          self.full(dim), {in_block(qkv, 0, dim), in_block(qkv, 1, dim), in_block(qkv, 2, dim)},
          data(weights), in_block(mixed_gradient, 0, dim),
          {out_block(to, 0, dim), out_block(to, 1, dim), out_block(to, 2, dim)});
    }
    return {torch::mm(to, in),
            torch::mm(to.t(), x),
            sums_of_columns(to),
            torch::mm(from.t(), mixed),
            slot_bias,
            slot_value,
            Tensor()};
  }
};

struct CrossKept {
  CrossRows rows;
  int heads;

  kernels::AttentionShape shape(std::int64_t dim, const Tensor& match_bias) const {
    return {*rows.queries,    *rows.keys,      heads, static_cast<int>(dim),
            /*causal=*/false, data(match_bias)};
  }
};

struct FusedCrossAttention : Function<FusedCrossAttention> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& memory,
                        const Tensor& query, const Tensor& query_bias, const Tensor& memory_weight,
                        const Tensor& memory_bias, const Tensor& out, const Maybe& maybe_match,
                        const CrossKept& cross) {
    const std::int64_t dim = x.size(1);
    const Tensor match_bias = value_of(maybe_match);
    const auto shape = cross.shape(dim, match_bias);
    const Tensor q = torch::addmm(query_bias, x, query.t());
    const Tensor kv = torch::addmm(memory_bias, memory, memory_weight.t());
    const Tensor mixed = torch::empty_like(x);
    const Tensor weights =
        torch::empty({kernels::attention_weight_offsets(shape).back()}, x.options());
    kernels::attention_forward(shape,
                               {in_block(q, 0, dim), in_block(kv, 0, dim), in_block(kv, 1, dim)},
                               data(weights), out_block(mixed, 0, dim));
    context->save_for_backward(
        {x, memory, query, memory_weight, out, q, kv, weights, mixed, match_bias});
    keep(context, cross);
    return torch::mm(mixed, out.t());
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor &x = saved[0], &memory = saved[1], &query = saved[2], &memory_weight = saved[3];
    const Tensor &out = saved[4], &q = saved[5], &kv = saved[6], &weights = saved[7];
    const std::int64_t dim = x.size(1);
    const Tensor from = gradients[0].contiguous();
    const Tensor mixed_gradient = torch::mm(from, out);
    const Tensor to_q = torch::empty_like(q), to_kv = torch::empty_like(kv);
    const Tensor to_match = saved[9].defined() ? torch::empty_like(saved[9]) : Tensor();
    kernels::attention_backward(kept<CrossKept>(context).shape(dim, saved[9]),
                                {in_block(q, 0, dim), in_block(kv, 0, dim), in_block(kv, 1, dim)},
                                data(weights), in_block(mixed_gradient, 0, dim),
                                {out_block(to_q, 0, dim), out_block(to_kv, 0, dim),
                                 out_block(to_kv, 1, dim), data(to_match)});
    return {torch::mm(to_q, query),
            torch::mm(to_kv, memory_weight),
            torch::mm(to_q.t(), x),
            sums_of_columns(to_q),
            torch::mm(to_kv.t(), memory),
            sums_of_columns(to_kv),
            torch::mm(from.t(), saved[8]),
            to_match,
            Tensor()};
  }
};

struct FusedFeedForward : Function<FusedFeedForward> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& up,
                        const Tensor& up_bias, const Tensor& down, nn::Activation activation) {
    const Tensor active = torch::mm(x, up.t());
    const Tensor slope = torch::empty_like(active);
    kernels::activation_forward(size_of(active), activation, data(up_bias), data(active),
                                data(slope));
    context->save_for_backward({x, up, down, slope, active});
    return torch::mm(active, down.t());
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor &x = saved[0], &up = saved[1], &down = saved[2], &slope = saved[3];
    const Tensor from = gradients[0].contiguous();
    const Tensor hidden = torch::mm(from, down);
    const Tensor bias = torch::empty({hidden.size(1)}, hidden.options());
    kernels::activation_backward(size_of(hidden), data(slope), data(hidden), data(bias));
    return {torch::mm(hidden, up), torch::mm(hidden.t(), x), bias, torch::mm(from.t(), saved[4]),
            Tensor()};
  }
};

struct FusedAddNorm : Function<FusedAddNorm> {
  static tensor_list forward(AutogradContext* context, const Maybe& maybe_x,
                             const Maybe& maybe_update, const Maybe& maybe_bias,
                             const Tensor& gamma, const Tensor& beta) {
    const Tensor x = value_of(maybe_x), update = value_of(maybe_update);
    const Tensor bias = value_of(maybe_bias);
    const Tensor& given = x.defined() ? x : update;
    const Tensor sum = torch::empty_like(given), normed = torch::empty_like(given);
    const Tensor stats = torch::empty({given.size(0), 2}, given.options());
    kernels::add_norm_forward(size_of(given),
                              {data(x), data(update), data(bias), data(gamma), data(beta)},
                              {data(sum), data(normed), data(stats)});
    context->save_for_backward({sum, stats, gamma});
    context->saved_data["x"] = x.defined();
    context->saved_data["update"] = update.defined();
    context->saved_data["bias"] = bias.defined();
    context->set_materialize_grads(false);
    return {sum, normed};
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor &sum = saved[0], &gamma = saved[2];
    const Tensor past = gradients[0].defined() ? gradients[0].contiguous() : Tensor();
    const Tensor from = gradients[1].defined() ? gradients[1].contiguous() : torch::zeros_like(sum);
    const Tensor to = torch::empty_like(sum);
    const Tensor to_gamma = torch::empty_like(gamma), to_beta = torch::empty_like(gamma);
    const bool has_bias = context->saved_data["bias"].toBool();
    const Tensor to_bias = has_bias ? torch::empty_like(gamma) : Tensor();
    kernels::add_norm_backward(size_of(sum), {data(sum), data(saved[1]), data(gamma)}, data(from),
                               data(past),
                               {data(to), data(to_bias), data(to_gamma), data(to_beta)});
    return {context->saved_data["x"].toBool() ? to : Tensor(),
            context->saved_data["update"].toBool() ? to : Tensor(), to_bias, to_gamma, to_beta};
  }
};

struct FusedGate : Function<FusedGate> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& c,
                        const Tensor& gate) {
    Tensor out = x.clone();
    nn::best_kernels().gate_rows(data(gate), data(c), x.size(0), static_cast<int>(x.size(1)),
                                 data(out));
    context->save_for_backward({x, c, gate});
    return out;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor &from = gradients[0], open = torch::sigmoid(saved[2]), to_c = from * open;
    return {from - to_c, to_c, to_c * (saved[1] - saved[0]) * (1 - open)};
  }
};

struct FusedEmbed : Function<FusedEmbed> {
  // Up to three tables; the lookups hold the same tensors, but only arguments are differentiated.
  static Tensor forward(AutogradContext* context, const Tensor& a, const Maybe&, const Maybe&,
                        const std::vector<TableLookup>& lookups) {
    std::vector<kernels::Lookup> reads;
    for (const TableLookup& lookup : lookups) {
      reads.push_back({data(lookup.table), lookup.index.data_ptr<std::int32_t>()});
    }
    const Tensor out = torch::empty({lookups[0].index.size(0), a.size(1)}, a.options());
    kernels::embed_forward(size_of(out), reads, data(out));
    std::vector<TableLookup> needed;
    for (const TableLookup& lookup : lookups) {
      needed.push_back(
          {lookup.table.detach(), lookup.table.requires_grad() ? lookup.index : Tensor()});
    }
    keep(context, std::move(needed));
    return out;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const Tensor from = gradients[0].contiguous();
    tensor_list to(4);
    const auto& lookups = kept<std::vector<TableLookup>>(context);
    for (std::size_t i = 0; i < lookups.size(); ++i) {
      if (!lookups[i].index.defined()) continue;
      to[i] = torch::zeros_like(lookups[i].table);
      kernels::embed_backward(size_of(from), lookups[i].index.data_ptr<std::int32_t>(), data(from),
                              data(to[i]));
    }
    return to;
  }
};

struct FusedDropout : Function<FusedDropout> {
  static Tensor forward(AutogradContext* context, const Tensor& x,
                        const kernels::DropoutMask& mask) {
    keep(context, mask);
    return run(x.contiguous(), mask);
  }
  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    return {run(gradients[0].contiguous(), kept<kernels::DropoutMask>(context)), Tensor()};
  }
  static Tensor run(const Tensor& x, const kernels::DropoutMask& mask) {
    Tensor out = torch::empty_like(x);
    kernels::dropout(x.numel(), mask, data(x), data(out));
    return out;
  }
};

struct FusedLoss : Function<FusedLoss> {
  static tensor_list forward(AutogradContext* context, const Tensor& logits,
                             const Tensor& targets) {
    const std::int64_t tokens = logits.size(0);
    const Tensor each = torch::empty({tokens}, logits.options());
    const Tensor correct = torch::empty({tokens}, torch::kBool);
    const Tensor gradient = torch::empty_like(logits);
    static_assert(sizeof(bool) == sizeof(char));
    kernels::cross_entropy(
        size_of(logits), data(logits), targets.data_ptr<std::int32_t>(),
        {data(each), reinterpret_cast<char*>(correct.data_ptr<bool>()), data(gradient)});
    context->save_for_backward({gradient});
    context->mark_non_differentiable({each, correct});
    return {each.mean(), each, correct};
  }
  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const Tensor gradient = context->get_saved_variables()[0];
    const double scale = gradients[0].item<double>() /
                         static_cast<double>(std::max<std::int64_t>(1, gradient.size(0)));
    return {gradient * scale, Tensor()};
  }
};

}  // namespace

Tensor self_attention(const Tensor& x, const SelfAttentionWeights& weights, const Rows& rows,
                      const SelfAttentionShape& shape) {
  if (!has_kernels(x)) return reference::self_attention(x, weights, rows, shape);
  return FusedSelfAttention::apply(x.contiguous(), weights.in, weights.in_bias, weights.out,
                                   maybe(weights.slot_bias), maybe(weights.slot_value),
                                   SelfKept{rows, shape});
}

Tensor cross_attention(const Tensor& x, const Tensor& memory, const CrossAttentionWeights& weights,
                       const CrossRows& rows, int heads) {
  if (!has_kernels(x)) return reference::cross_attention(x, memory, weights, rows, heads);
  return FusedCrossAttention::apply(x.contiguous(), memory.contiguous(), weights.query,
                                    weights.query_bias, weights.memory, weights.memory_bias,
                                    weights.out, maybe(weights.match_bias), CrossKept{rows, heads});
}

Tensor feed_forward(const Tensor& x, const FeedForwardWeights& weights, nn::Activation activation) {
  if (!has_kernels(x)) return reference::feed_forward(x, weights, activation);
  return FusedFeedForward::apply(x.contiguous(), weights.up, weights.up_bias, weights.down,
                                 activation);
}

AddNormOutput add_norm(const AddNormInput& input) {
  if (!has_kernels(input.gamma)) return reference::add_norm(input);
  const auto packed = [](const Tensor& t) { return maybe(t.defined() ? t.contiguous() : t); };
  const tensor_list out = FusedAddNorm::apply(packed(input.x), packed(input.update),
                                              maybe(input.bias), input.gamma, input.beta);
  return {out[0], out[1]};
}

Tensor gated(const Tensor& x, const Tensor& c, const Tensor& gate) {
  if (!has_kernels(x)) return reference::gated(x, c, gate);
  return FusedGate::apply(x.contiguous(), c.contiguous(), gate.contiguous());
}

Tensor embed(const std::vector<TableLookup>& lookups) {
  if (lookups.size() > 3 || !has_kernels(lookups[0].table)) return reference::embed(lookups);
  const auto table = [&](std::size_t i) {
    return i < lookups.size() ? Maybe(lookups[i].table) : Maybe();
  };
  return FusedEmbed::apply(lookups[0].table, table(1), table(2), lookups);
}

Tensor seeded_dropout(const Tensor& x, double share, std::uint64_t seed, std::int64_t first) {
  if (!has_kernels(x)) return reference::seeded_dropout(x, share, seed, first);
  return FusedDropout::apply(x, kernels::DropoutMask{share, seed, first});
}

TokenLoss token_loss(const Tensor& logits, const Tensor& targets) {
  if (!has_kernels(logits)) return reference::token_loss(logits, targets);
  const tensor_list out = FusedLoss::apply(logits.contiguous(), targets);
  return {out[0], out[1], out[2]};
}

}  // namespace nrs::learn
