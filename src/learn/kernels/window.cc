// Attention within a window of slots: a few neighbours per token, so time and memory grow with the
// number of tokens only.
#include <algorithm>
#include <cmath>
#include <vector>

#include "learn/kernels/kernels.h"
#include "nn/kernels.h"
#include "nn/kernels/vectors.h"

namespace nrs::learn::kernels {
namespace {

using nn::common::add_scaled;
using nn::common::dot;

// One token, one head: the slots that lie in the row, and where q, k and v of a token stand.
struct Place {
  const WindowShape& shape;
  std::int64_t first;  // of the row
  std::int64_t last;   // of the row, not included
  std::int64_t token;
  int head;

  int width() const { return shape.dim / shape.heads; }
  int column() const { return head * width(); }
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

// Adds to the gradients. weights [S, H]; scores: room for [S].
template <int kWidth>
void place_backward(const Place& place, const WindowInputs& in, const float* weights,
                    const float* from, const WindowGradients& gradient, float* scores) {
  const WindowShape& shape = place.shape;
  const int width = place.width();
  const auto weight = [&](int slot) { return weights[slot * shape.heads + place.head]; };
  const float scale = 1.0F / std::sqrt(static_cast<float>(width));
  float mean = 0;
  for (int s = 0; s < shape.slots(); ++s) {
    if (!place.has(s)) continue;
    const std::int64_t slot_column = s * shape.dim + place.column();
    scores[s] = dot<kWidth>(from, place.value(in.qkv, s), width);
    add_scaled<kWidth>(weight(s), from, width, place.value(gradient.qkv, s));
    if (in.slot_value != nullptr) {
      scores[s] += dot<kWidth>(from, in.slot_value + slot_column, width);
      add_scaled<kWidth>(weight(s), from, width, gradient.slot_value + slot_column);
    }
    mean += weight(s) * scores[s];
  }
  for (int s = 0; s < shape.slots(); ++s) {
    if (!place.has(s)) continue;
    const float score = weight(s) * (scores[s] - mean);
    if (in.slot_bias != nullptr) gradient.slot_bias[s * shape.heads + place.head] += score;
    add_scaled<kWidth>(scale * score, place.key(in.qkv, s), width, place.query(gradient.qkv));
    add_scaled<kWidth>(scale * score, place.query(in.qkv), width, place.key(gradient.qkv, s));
  }
}

// Calls work(place) for every token; the head is the first one.
template <class Work>
void for_each_token(const WindowShape& shape, const Work& work) {
  for (std::int64_t row = 0; row < shape.rows.rows(); ++row) {
    Place place{shape, shape.rows.begin(row), shape.rows.end(row), 0, 0};
    for (place.token = place.first; place.token < place.last; ++place.token) work(place);
  }
}

}  // namespace

void window_forward(const WindowShape& shape, const WindowInputs& in, float* weights, float* out) {
  const nn::Kernels& kernels = nn::best_kernels();
  const std::int64_t scores = std::int64_t{shape.slots()} * shape.heads;
  std::vector<const float*> slots(static_cast<std::size_t>(shape.slots()));
  for_each_token(shape, [&](const Place& place) {
    for (int s = 0; s < shape.slots(); ++s) {
      slots[static_cast<std::size_t>(s)] =
          place.has(s) ? in.qkv + place.neighbour(s) * 3 * shape.dim : nullptr;
    }
    kernels.attend_window({shape.heads, shape.dim}, {in.slot_bias, in.slot_value},
                          place.query(in.qkv), {slots.data(), shape.slots()},
                          weights + place.token * scores, out + place.token * shape.dim);
  });
}

void window_backward(const WindowShape& shape, const WindowInputs& in, const float* weights,
                     const float* out_gradient, const WindowGradients& gradient) {
  const std::int64_t scores = std::int64_t{shape.slots()} * shape.heads;
  std::fill_n(gradient.qkv, shape.rows.tokens() * 3 * shape.dim, 0.0F);
  if (gradient.slot_bias != nullptr) std::fill_n(gradient.slot_bias, scores, 0.0F);
  if (gradient.slot_value != nullptr) {
    std::fill_n(gradient.slot_value, shape.slots() * shape.dim, 0.0F);
  }
  std::vector<float> room(static_cast<std::size_t>(shape.slots()));
  nn::common::with_width(shape.dim / shape.heads, [&](auto width) {
    for_each_token(shape, [&](Place place) {
      for (place.head = 0; place.head < shape.heads; ++place.head) {
        place_backward<width()>(place, in, weights + place.token * scores,
                                out_gradient + place.token * shape.dim + place.column(), gradient,
                                room.data());
      }
    });
  });
}

}  // namespace nrs::learn::kernels
