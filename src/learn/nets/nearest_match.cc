#include "learn/nets/nearest_match.h"

#include <torch/autograd.h>

#include <algorithm>

#include "learn/kernels/nearest_match.h"
#include "learn/nets/autograd_kept.h"
#include "learn/nets/padding.h"

namespace nrs::learn {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::tensor_list;

struct GeometricKept {
  Rows rows;
  int heads;

  // x [N, 3D + 2H]
  kernels::GeometricShape shape(const Tensor& x) const {
    return {*rows, heads, static_cast<int>((x.size(1) - 2 * heads) / 3)};
  }
};

kernels::GeometricScale scale_of(const Tensor& scale) {
  const float* values = scale.data_ptr<float>();
  return {values[0], values[1], values[2]};
}

kernels::In in(const Tensor& x) {
  return {x.data_ptr<float>(), x.size(1)};
}

struct FusedGeometric : Function<FusedGeometric> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& scale,
                        const GeometricKept& self) {
    const auto shape = self.shape(x);
    const Tensor out = torch::empty({x.size(0), shape.dim}, x.options());
    const Tensor shares =
        torch::empty({kernels::geometric_share_offsets(shape).back()}, x.options());
    kernels::geometric_forward(shape, scale_of(scale), in(x), shares.data_ptr<float>(),
                               {out.data_ptr<float>(), out.size(1)});
    context->save_for_backward({x, scale, shares});
    keep(context, self);
    return out;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor &x = saved[0], &scale = saved[1], &shares = saved[2];
    const Tensor from = gradients[0].contiguous();
    const Tensor to = torch::empty_like(x);
    kernels::GeometricGradients gradient{.x = {to.data_ptr<float>(), to.size(1)}};
    kernels::geometric_backward(kept<GeometricKept>(context).shape(x), scale_of(scale), in(x),
                                shares.data_ptr<float>(), in(from), gradient);
    const Tensor of_scale = torch::empty_like(scale);
    for (int i = 0; i < 3; ++i) {
      of_scale.data_ptr<float>()[i] = static_cast<float>(gradient.scale[i]);
    }
    return {to, of_scale, Tensor()};
  }
};

// Sums of the keys between two places, as in Z[high] - Z[low], for every query (row) and key.
struct Between {
  Tensor low, high;  // [L, L] int64

  Between(std::int64_t length, const torch::Device& device)
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
    low = low.to(device), high = high.to(device);
  }
};

}  // namespace

torch::Tensor geometric_attention(const Tensor& x, const Tensor& scale, const Rows& rows,
                                  int heads) {
  if (!x.is_cpu() || x.scalar_type() != torch::kFloat) {
    return reference::geometric_attention(x, scale, rows, heads);
  }
  return FusedGeometric::apply(x.contiguous(), scale, GeometricKept{rows, heads});
}

namespace reference {

Tensor geometric_weights(const Tensor& z, const Tensor& open) {
  // Finite instead of -inf, and closed weights set to 0: infinities have no gradient.
  const Tensor shifted = z.masked_fill(~open, -1e30);
  const Tensor rest = torch::log_sigmoid(-shifted);
  const Tensor sums = torch::constant_pad_nd(rest.cumsum(-1), {1, 0}, 0);
  const Between between(z.size(-1), z.device());
  const auto pick = [&](const Tensor& index) { return sums.gather(-1, index.expand(z.sizes())); };
  const Tensor nearer = pick(between.high) - pick(between.low);
  return (torch::log_sigmoid(shifted) + nearer).exp().masked_fill(~open, 0);
}

Tensor geometric_attention(const Tensor& x, const Tensor& scale, const Rows& rows, int heads) {
  const std::int64_t dim = (x.size(1) - 2 * heads) / 3;
  const Padding padding(*rows, x.device());
  const auto part = [&](std::int64_t first, std::int64_t width) {
    return padding.heads(x.narrow(1, first, width), heads);
  };
  const Tensor q = part(0, dim), k = part(dim, dim), v = part(2 * dim, dim);
  const Tensor right = part(3 * dim, heads), left = part(3 * dim + heads, heads);  // [B, H, L, 1]
  const auto square =
      torch::ones({padding.length, padding.length}, padding.real.options());  // bool
  const Tensor side = torch::where(square.triu(1), right, left);
  const Tensor z = scale[0] * q.matmul(k.transpose(-1, -2)) + scale[1] * side + scale[2];
  const Tensor others = square.triu(1) | square.tril(-1);
  const Tensor open =
      (padding.real.view({padding.rows, 1, 1, padding.length}) & others).expand(z.sizes());
  return padding.packed(geometric_weights(z, open).matmul(v));
}

}  // namespace reference
}  // namespace nrs::learn
