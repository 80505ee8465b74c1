// Attention within a window of slots: a few neighbours per token, so time and memory grow with the
// number of tokens only.
#include <array>
#include <cmath>

#include "learn/kernels/kernel_math.h"
#include "learn/kernels/kernels.h"

namespace nrs::kernels {
namespace {

template <int kWidth>
float dot(const float* a, const float* b, std::int64_t width) {
  const std::int64_t steps = kWidth > 0 ? kWidth : width;
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t d = 0; d < steps; ++d) sum += a[d] * b[d];
  return sum;
}

template <int kWidth>
void add_scaled(float scale, const float* x, std::int64_t width, float* out) {
  const std::int64_t steps = kWidth > 0 ? kWidth : width;
#pragma omp simd
  for (std::int64_t d = 0; d < steps; ++d) out[d] += scale * x[d];
}

// One token, one head: the slots that lie in the row, and where q, k and v of a token stand.
struct Place {
  const WindowShape& shape;
  std::int64_t first;  // of the row
  std::int64_t last;   // of the row, not included
  std::int64_t token;
  int head;

  std::int64_t width() const { return shape.dim / shape.heads; }
  std::int64_t column() const { return head * width(); }
  std::int64_t neighbour(int slot) const {
    return token + static_cast<std::int64_t>(slot - shape.window) * shape.dilation;
  }
  bool has(int slot) const { return neighbour(slot) >= first && neighbour(slot) < last; }
  template <class Float>
  Float* query(Float* qkv) const {
    return qkv + token * 3 * shape.dim + column();
  }
  template <class Float>
  Float* key(Float* qkv, int slot) const {
    return qkv + neighbour(slot) * 3 * shape.dim + shape.dim + column();
  }
  template <class Float>
  Float* value(Float* qkv, int slot) const {
    return qkv + neighbour(slot) * 3 * shape.dim + 2 * shape.dim + column();
  }
};

// The slot in the middle is the token itself, so there is always one to attend to.
template <int kWidth>
void place_forward(const Place& place, const WindowInputs& in, float* weights, float* out) {
  const WindowShape& shape = place.shape;
  const std::int64_t width = place.width();
  const float scale = 1.0F / std::sqrt(static_cast<float>(width));
  float most = -3e38F;
  for (int s = 0; s < shape.slots(); ++s) {
    if (!place.has(s)) continue;
    weights[s] = scale * dot<kWidth>(place.query(in.qkv), place.key(in.qkv, s), width);
    if (in.slot_bias != nullptr) weights[s] += in.slot_bias[s * shape.heads + place.head];
    most = std::max(most, weights[s]);
  }
  float sum = 0;
  for (int s = 0; s < shape.slots(); ++s) {
    weights[s] = place.has(s) ? fast_exp(weights[s] - most) : 0.0F;
    sum += weights[s];
  }
  std::fill_n(out, width, 0.0F);
  for (int s = 0; s < shape.slots(); ++s) {
    if (!place.has(s)) continue;
    weights[s] /= sum;
    add_scaled<kWidth>(weights[s], place.value(in.qkv, s), width, out);
    if (in.slot_value != nullptr) {
      add_scaled<kWidth>(weights[s], in.slot_value + s * shape.dim + place.column(), width, out);
    }
  }
}

// gradient.qkv is added to; the rest likewise, in the buffers of this thread.
template <int kWidth>
void place_backward(const Place& place, const WindowInputs& in, const float* weights,
                    const float* from, const WindowGradients& gradient, float* scores) {
  const WindowShape& shape = place.shape;
  const std::int64_t width = place.width();
  const float scale = 1.0F / std::sqrt(static_cast<float>(width));
  float mean = 0;
  for (int s = 0; s < shape.slots(); ++s) {
    if (!place.has(s)) continue;
    const std::int64_t slot_column = s * shape.dim + place.column();
    scores[s] = dot<kWidth>(from, place.value(in.qkv, s), width);
    add_scaled<kWidth>(weights[s], from, width, place.value(gradient.qkv, s));
    if (in.slot_value != nullptr) {
      scores[s] += dot<kWidth>(from, in.slot_value + slot_column, width);
      add_scaled<kWidth>(weights[s], from, width, gradient.slot_value + slot_column);
    }
    mean += weights[s] * scores[s];
  }
  for (int s = 0; s < shape.slots(); ++s) {
    if (!place.has(s)) continue;
    const float score = weights[s] * (scores[s] - mean);
    if (in.slot_bias != nullptr) gradient.slot_bias[s * shape.heads + place.head] += score;
    add_scaled<kWidth>(scale * score, place.key(in.qkv, s), width, place.query(gradient.qkv));
    add_scaled<kWidth>(scale * score, place.query(in.qkv), width, place.key(gradient.qkv, s));
  }
}

// Calls work(part, place, index of its weights) for every token and head. Rows stay on one thread:
// what a token adds to its neighbours' gradients meets nobody else's.
template <class Work>
void for_each_place(const WindowShape& shape, const Work& work) {
  for_each_part([&](int part, int parts) {
    const auto [first, last] = rows_of_part(shape.rows, part, parts);
    for (std::int64_t row = first; row < last; ++row) {
      Place place{shape, shape.rows.begin(row), shape.rows.end(row), 0, 0};
      for (place.token = place.first; place.token < place.last; ++place.token) {
        for (place.head = 0; place.head < shape.heads; ++place.head) {
          work(part, place, (place.token * shape.heads + place.head) * shape.slots());
        }
      }
    }
  });
}

}  // namespace

void window_forward(const WindowShape& shape, const WindowInputs& in, float* weights, float* out) {
  with_width(shape.dim / shape.heads, [&](auto width) {
    for_each_place(shape, [&](int, const Place& place, std::int64_t at) {
      place_forward<width()>(place, in, weights + at,
                             out + place.token * shape.dim + place.column());
    });
  });
}

void window_backward(const WindowShape& shape, const WindowInputs& in, const float* weights,
                     const float* out_gradient, const WindowGradients& gradient) {
  std::fill_n(gradient.qkv, shape.rows.tokens() * 3 * shape.dim, 0.0F);
  const std::int64_t biases = shape.slots() * shape.heads, values = shape.slots() * shape.dim;
  Partials partials(biases + values + shape.slots());
  with_width(shape.dim / shape.heads, [&](auto width) {
    for_each_place(shape, [&](int part, const Place& place, std::int64_t at) {
      float* sums = partials.of(part);
      place_backward<width()>(place, in, weights + at,
                              out_gradient + place.token * shape.dim + place.column(),
                              {gradient.qkv, sums, sums + biases}, sums + biases + values);
    });
  });
  partials.add_up(0, biases, gradient.slot_bias);
  partials.add_up(biases, values, gradient.slot_value);
}

}  // namespace nrs::kernels
