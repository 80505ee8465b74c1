#include "learn/nets/fused.h"

#include <torch/autograd.h>
#include <torch/csrc/autograd/functions/utils.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "learn/kernels/kernels.h"
#include "nn/kernels.h"

namespace nrs::learn {
namespace {

using torch::Tensor;
using torch::autograd::tensor_list;

// From the gradients of results to those of inputs. What is not needed may be undefined, on both
// sides.
using Backward = std::function<tensor_list(const tensor_list& gradients)>;

// An operation with a backward pass of our own. While it exists, torch does not record what is
// computed.
class Operation {
 public:
  // Its inputs, as they are used outside; some may be undefined.
  explicit Operation(const tensor_list& inputs) : node_(node_of(inputs)) {}

  // Makes the results differentiable. `backward` runs once at most. It must not hold the results
  // themselves, which hold it.
  void differentiate(tensor_list results, Backward backward) {
    if (!node_) return;
    node_->backward = std::move(backward);
    torch::autograd::set_history(results, node_);
  }

 private:
  struct Node : torch::autograd::Node {
    tensor_list apply(tensor_list&& gradients) override {
      for (Tensor& gradient : gradients) {
        if (gradient.defined()) gradient = gradient.contiguous();
      }
      return backward(gradients);
    }
    void release_variables() override { backward = nullptr; }

    Backward backward;
  };
  static std::shared_ptr<Node> node_of(const tensor_list& inputs) {
    if (!torch::autograd::compute_requires_grad(inputs)) return nullptr;
    std::shared_ptr<Node> node(new Node, torch::autograd::deleteNode);
    node->set_next_edges(torch::autograd::collect_next_edges(inputs));
    return node;
  }

  std::shared_ptr<Node> node_;  // null: nobody asks for gradients
  torch::NoGradGuard no_grad_;
};

float* data(const Tensor& x) {
  return x.defined() ? x.data_ptr<float>() : nullptr;
}

// Undefined if x is.
Tensor room_like(const Tensor& x) {
  return x.defined() ? torch::empty_like(x) : Tensor();
}

kernels::Size size_of(const Tensor& x) {
  return {x.size(0), x.size(1)};
}

// The columns of x [N, C] from `first` on.
kernels::In read(const Tensor& x, std::int64_t first = 0) {
  return {data(x) + first, x.size(1)};
}
kernels::Out write(const Tensor& x, std::int64_t first = 0) {
  return {data(x) + first, x.size(1)};
}

Tensor sums_of_columns(const Tensor& x) {
  Tensor sums = torch::empty({x.size(1)});
  kernels::column_sums(size_of(x), data(x), data(sums));
  return sums;
}

// Self-attention between its two projections.
struct SelfMixing {
  SelfAttentionWeights weights;
  Rows rows;
  SelfAttentionShape shape;
  int dim;

  kernels::AttentionShape full() const { return {*rows, *rows, shape.heads, dim, shape.causal}; }
  kernels::WindowShape window() const {
    return {*rows, shape.heads, dim, shape.window, shape.dilation};
  }
  kernels::AttentionInputs inputs(const Tensor& qkv) const {
    return {read(qkv), read(qkv, dim), read(qkv, 2 * dim)};
  }

  // qkv [N, 3D] to mixed [N, D]. Returns what is needed for the way back.
  Tensor forward(const Tensor& qkv, const Tensor& mixed) const {
    if (shape.dilation == 0) {
      const Tensor shares = torch::empty({kernels::attention_weights(full())});
      kernels::attention_forward(full(), inputs(qkv), data(shares), write(mixed));
      return shares;
    }
    const Tensor shares = torch::empty({qkv.size(0) * shape.heads * window().slots()});
    kernels::window_forward(window(),
                            {data(qkv), data(weights.slot_bias), data(weights.slot_value)},
                            data(shares), data(mixed));
    return shares;
  }
  // The gradient of mixed to that of qkv; those of the slots are optional.
  void backward(const Tensor& qkv, const Tensor& shares, const Tensor& from, const Tensor& to,
                const Tensor& to_bias, const Tensor& to_value) const {
    if (shape.dilation == 0) {
      kernels::attention_backward(full(), inputs(qkv), data(shares), read(from),
                                  {write(to), write(to, dim), write(to, 2 * dim)});
      return;
    }
    kernels::window_backward(window(),
                             {data(qkv), data(weights.slot_bias), data(weights.slot_value)},
                             data(shares), data(from), {data(to), data(to_bias), data(to_value)});
  }
};

}  // namespace

Tensor self_attention(const Tensor& given, const SelfAttentionWeights& weights, const Rows& rows,
                      const SelfAttentionShape& shape) {
  Operation operation(
      {given, weights.in, weights.in_bias, weights.out, weights.slot_bias, weights.slot_value});
  const Tensor x = given.contiguous();
  const Tensor qkv = torch::addmm(weights.in_bias, x, weights.in.t());
  const Tensor mixed = torch::empty_like(x);
  const SelfMixing mixing{weights, rows, shape, static_cast<int>(x.size(1))};
  const Tensor shares = mixing.forward(qkv, mixed);
  const Tensor out = torch::mm(mixed, weights.out.t());
  operation.differentiate({out}, [=](const tensor_list& gradients) -> tensor_list {
    const Tensor &from = gradients[0], to = torch::empty_like(qkv);
    const Tensor to_bias = room_like(weights.slot_bias), to_value = room_like(weights.slot_value);
    mixing.backward(qkv, shares, torch::mm(from, weights.out), to, to_bias, to_value);
    return {torch::mm(to, weights.in),
            torch::mm(to.t(), x),
            sums_of_columns(to),
            torch::mm(from.t(), mixed),
            to_bias,
            to_value};
  });
  return out;
}

Tensor cross_attention(const Tensor& given, const Tensor& given_memory,
                       const CrossAttentionWeights& weights, const CrossRows& rows, int heads) {
  Operation operation({given, given_memory, weights.query, weights.query_bias, weights.memory,
                       weights.memory_bias, weights.out, weights.match_bias});
  const Tensor x = given.contiguous(), memory = given_memory.contiguous();
  const int dim = static_cast<int>(x.size(1));
  const auto shape = [=]() -> kernels::AttentionShape {
    return {*rows.queries,
            *rows.keys,
            heads,
            dim,
            /*causal=*/false,
            data(weights.match_bias)};
  };
  const Tensor q = torch::addmm(weights.query_bias, x, weights.query.t());
  const Tensor kv = torch::addmm(weights.memory_bias, memory, weights.memory.t());
  const Tensor shares = torch::empty({kernels::attention_weights(shape())});
  const Tensor mixed = torch::empty_like(x);
  kernels::attention_forward(shape(), {read(q), read(kv), read(kv, dim)}, data(shares),
                             write(mixed));
  const Tensor out = torch::mm(mixed, weights.out.t());
  operation.differentiate({out}, [=](const tensor_list& gradients) -> tensor_list {
    const Tensor &from = gradients[0], mixed_gradient = torch::mm(from, weights.out);
    const Tensor to_q = torch::empty_like(q), to_kv = torch::empty_like(kv);
    const Tensor to_match = room_like(weights.match_bias);
    kernels::attention_backward(shape(), {read(q), read(kv), read(kv, dim)}, data(shares),
                                read(mixed_gradient),
                                {write(to_q), write(to_kv), write(to_kv, dim), data(to_match)});
    return {torch::mm(to_q, weights.query), torch::mm(to_kv, weights.memory),
            torch::mm(to_q.t(), x),         sums_of_columns(to_q),
            torch::mm(to_kv.t(), memory),   sums_of_columns(to_kv),
            torch::mm(from.t(), mixed),     to_match};
  });
  return out;
}

Tensor geometric_attention(const Tensor& given, const Tensor& scale, const Rows& rows, int heads) {
  Operation operation({given, scale});
  const Tensor x = given.contiguous();
  const int dim = (static_cast<int>(x.size(1)) - 2 * heads) / 3;
  const auto shape = [=]() -> kernels::GeometricShape { return {*rows, heads, dim}; };
  const Tensor shares = torch::empty({kernels::geometric_shares(shape())});
  const Tensor out = torch::empty({x.size(0), dim});
  kernels::geometric_forward(shape(), data(scale), read(x), data(shares), write(out));
  operation.differentiate({out}, [=](const tensor_list& gradients) -> tensor_list {
    const Tensor to = torch::empty_like(x);
    kernels::GeometricGradients gradient{.x = write(to)};
    kernels::geometric_backward(shape(), data(scale), read(x), data(shares), read(gradients[0]),
                                gradient);
    const Tensor to_scale = torch::empty({3});
    std::copy_n(gradient.scale, 3, data(to_scale));
    return {to, to_scale};
  });
  return out;
}

Tensor feed_forward(const Tensor& given, const FeedForwardWeights& weights,
                    nn::Activation activation) {
  Operation operation({given, weights.up, weights.up_bias, weights.down});
  const Tensor x = given.contiguous();
  const Tensor active = torch::mm(x, weights.up.t()), slope = torch::empty_like(active);
  kernels::activation_forward(size_of(active), activation, data(weights.up_bias), data(active),
                              data(slope));
  const Tensor out = torch::mm(active, weights.down.t());
  operation.differentiate({out}, [=](const tensor_list& gradients) -> tensor_list {
    const Tensor& from = gradients[0];
    const Tensor hidden = torch::mm(from, weights.down), bias = torch::empty({hidden.size(1)});
    kernels::activation_backward(size_of(hidden), data(slope), data(hidden), data(bias));
    return {torch::mm(hidden, weights.up), torch::mm(hidden.t(), x), bias,
            torch::mm(from.t(), active)};
  });
  return out;
}

AddNormOutput add_norm(const AddNormInput& input) {
  Operation operation({input.x, input.update, input.bias, input.gamma, input.beta});
  const auto packed = [](const Tensor& t) { return t.defined() ? t.contiguous() : t; };
  const Tensor x = packed(input.x), update = packed(input.update);
  const Tensor& rows = x.defined() ? x : update;
  const AddNormOutput out{torch::empty_like(rows), torch::empty_like(rows)};
  const Tensor stats = torch::empty({out.sum.size(0), 2});
  kernels::add_norm_forward(
      size_of(out.sum),
      {data(x), data(update), data(input.bias), data(input.gamma), data(input.beta)},
      {data(out.sum), data(out.normed), data(stats)});
  operation.differentiate(
      {out.sum, out.normed},
      [stats, gamma = input.gamma, bias = input.bias,
       sum = out.sum.detach()](const tensor_list& gradients) -> tensor_list {
        const Tensor& past = gradients[0];
        const Tensor from = gradients[1].defined() ? gradients[1] : torch::zeros_like(sum);
        const Tensor to = torch::empty_like(sum), to_bias = room_like(bias);
        const Tensor to_gamma = torch::empty_like(gamma), to_beta = torch::empty_like(to_gamma);
        kernels::add_norm_backward(size_of(sum), {data(sum), data(stats), data(gamma)}, data(from),
                                   data(past),
                                   {data(to), data(to_bias), data(to_gamma), data(to_beta)});
        return {to, to, to_bias, to_gamma, to_beta};
      });
  return out;
}

Tensor gated(const Tensor& given, const Tensor& given_c, const Tensor& given_gate) {
  Operation operation({given, given_c, given_gate});
  const Tensor x = given.contiguous(), c = given_c.contiguous(), gate = given_gate.contiguous();
  const Tensor out = x.clone();
  nn::best_kernels().gate_rows(data(gate), data(c), x.size(0), static_cast<int>(x.size(1)),
                               data(out));
  operation.differentiate({out}, [=](const tensor_list& gradients) -> tensor_list {
    const Tensor &from = gradients[0], open = torch::sigmoid(gate), to_c = from * open;
    return {from - to_c, to_c, to_c * (c - x) * (1 - open)};
  });
  return out;
}

Tensor embed(const std::vector<TableLookup>& lookups) {
  tensor_list tables;
  std::vector<kernels::Lookup> reads;
  for (const TableLookup& lookup : lookups) {
    tables.push_back(lookup.table);
    reads.push_back({data(lookup.table), lookup.index.data_ptr<std::int32_t>()});
  }
  Operation operation(tables);
  const Tensor out = torch::empty({lookups[0].index.size(0), tables[0].size(1)});
  kernels::embed_forward(size_of(out), reads, data(out));
  operation.differentiate({out}, [lookups](const tensor_list& gradients) {
    tensor_list to;
    for (const TableLookup& lookup : lookups) {
      to.emplace_back();
      if (!lookup.table.requires_grad()) continue;
      to.back() = torch::zeros_like(lookup.table);
      kernels::embed_backward(size_of(gradients[0]), lookup.index.data_ptr<std::int32_t>(),
                              data(gradients[0]), data(to.back()));
    }
    return to;
  });
  return out;
}

Tensor seeded_dropout(const Tensor& x, double share, std::uint64_t seed, std::int64_t first) {
  Operation operation({x});
  const auto run = [share, seed, first](const Tensor& from) {
    const Tensor to = torch::empty_like(from);
    kernels::dropout(from.numel(), {share, seed, first}, data(from), data(to));
    return to;
  };
  const Tensor out = run(x.contiguous());
  operation.differentiate(
      {out}, [run](const tensor_list& gradients) -> tensor_list { return {run(gradients[0])}; });
  return out;
}

TokenLoss token_loss(const Tensor& given, const Tensor& targets) {
  Operation operation({given});
  const Tensor logits = given.contiguous(), gradient = torch::empty_like(logits);
  const Tensor each = torch::empty({logits.size(0)});
  const Tensor correct = torch::empty({logits.size(0)}, torch::kBool);
  static_assert(sizeof(bool) == sizeof(char));
  kernels::cross_entropy(
      size_of(logits), data(logits), targets.data_ptr<std::int32_t>(),
      {data(each), reinterpret_cast<char*>(correct.data_ptr<bool>()), data(gradient)});
  const Tensor mean = each.mean();
  operation.differentiate({mean}, [gradient](const tensor_list& gradients) -> tensor_list {
    const double scale = gradients[0].item<double>() /
                         static_cast<double>(std::max<std::int64_t>(1, gradient.size(0)));
    return {gradient * scale};
  });
  return {mean, each, correct};
}

}  // namespace nrs::learn
