// The backward pass goes through the shares in the order in which the forward pass left them
// (nn/kernels/nearest_match.h), for one block of neighbouring queries after the other.
#include <algorithm>
#include <vector>

#include "learn/kernels/kernels.h"
#include "nn/fast_math.h"
#include "nn/kernels.h"

namespace nrs::learn::kernels {
namespace {

constexpr std::int64_t kLanes = nn::kNearestTogether;

// Columns of one head, turned: [width, stride], zeros before the first token and beyond the last:
// vectors that begin up to kLanes before or behind a token stay inside.
class Turned {
 public:
  void reset(std::int64_t width, std::int64_t stride) {
    stride_ = stride;
    values_.assign(static_cast<std::size_t>(width * stride), 0.0F);
  }
  void fill(In x, std::int64_t count, std::int64_t width, std::int64_t stride) {
    reset(width, stride);
    for (std::int64_t i = 0; i < count; ++i) {
      const float* row = x.row(i);
      for (std::int64_t d = 0; d < width; ++d) at(i)[d * stride] = row[d];
    }
  }
  void store(std::int64_t count, std::int64_t width, float factor, Out x) const {
    for (std::int64_t i = 0; i < count; ++i) {
      float* row = x.row(i);
      for (std::int64_t d = 0; d < width; ++d) row[d] = factor * at(i)[d * stride_];
    }
  }
  float* at(std::int64_t token) { return values_.data() + kLanes + token; }
  const float* at(std::int64_t token) const { return values_.data() + kLanes + token; }

 private:
  std::int64_t stride_ = 0;
  std::vector<float> values_;
};

// out[lane] = sum over d of a[d, lane] * b[d, lane].
template <int kWidth>
void dot(const float* a, const float* b, std::int64_t width, std::int64_t stride, float* out) {
  const std::int64_t steps = kWidth > 0 ? kWidth : width;
  float sum[kLanes] = {};
  for (std::int64_t d = 0; d < steps; ++d, a += stride, b += stride) {
    for (int lane = 0; lane < kLanes; ++lane) sum[lane] += a[lane] * b[lane];
  }
  for (int lane = 0; lane < kLanes; ++lane) out[lane] = sum[lane];
}

// out[d, lane] += weight[lane] * x[d, lane].
template <int kWidth>
void add_scaled(const float* weight, const float* x, std::int64_t width, std::int64_t stride,
                float* out) {
  const std::int64_t steps = kWidth > 0 ? kWidth : width;
  for (std::int64_t d = 0; d < steps; ++d, x += stride, out += stride) {
    for (int lane = 0; lane < kLanes; ++lane) out[lane] += weight[lane] * x[lane];
  }
}

// One head of one row, and its working memory.
class Head {
 public:
  void read(const GeometricShape& shape, In x, std::int64_t row, int head) {
    begin_ = shape.rows.begin(row);
    length_ = shape.rows.length(row);
    width_ = shape.dim / shape.heads;
    stride_ = length_ + 3 * kLanes;
    for (const int part : {kQuery, kKey, kValue}) {
      part_columns_[part] = part * std::int64_t{shape.dim} + head * width_;
      in_[part].fill(columns(x, part_columns_[part]), length_, width_, stride_);
    }
    for (const int side : {0, 1}) {
      side_columns_[side] = 3 * shape.dim + side * shape.heads + head;
      sides_[side].fill(columns(x, side_columns_[side]), length_, 1, stride_);
    }
  }

  // Leaves the gradients of its input in gradient.x; adds those of the scale.
  template <int kWidth>
  void backward(const float* scale, const float* shares, In out_gradient,
                GeometricGradients& gradient) {
    from_.fill(columns(out_gradient, part_columns_[kQuery]), length_, width_, stride_);
    for (Turned& one : gradients_) one.reset(width_, stride_);
    for (Turned& one : side_gradients_) one.reset(1, stride_);
    for (std::int64_t first = 0; first < length_; first += kLanes) {
      list_takes(first);
      products_.resize(takes_.size() * kLanes);
      spread_values<kWidth>(first, shares);
      spread_scores<kWidth>(first, shares);
      shares += takes_.size() * kLanes;
    }
    store(scale, gradient);
  }

 private:
  enum Part { kQuery, kKey, kValue };
  // The queries of a block look at as many keys, from `key` on; side 0 is the right one.
  struct Take {
    std::int64_t key;
    int side;
  };
  void list_takes(std::int64_t first) {
    const std::int64_t right = length_ - 1 - first, last = std::min(first + kLanes, length_);
    takes_.clear();
    for (std::int64_t m = 1; m <= right || m < last; ++m) {
      if (m <= right) takes_.push_back({first + m, 0});
      if (m < last) takes_.push_back({first - m, 1});
    }
  }

  template <class Float>
  Matrix<Float> columns(Matrix<Float> x, std::int64_t first) const {
    return {x.row(begin_) + first, x.stride};
  }

  // The gradient of the values, and in products_ each A times its gradient.
  template <int kWidth>
  void spread_values(std::int64_t first, const float* shares) {
    float* product = products_.data();
    float left[kLanes], weight[kLanes];
    std::fill_n(left, kLanes, 1.0F);
    for (const Take& take : takes_) {
      dot<kWidth>(from_.at(first), in_[kValue].at(take.key), width_, stride_, product);
      for (int lane = 0; lane < kLanes; ++lane) {
        weight[lane] = shares[lane] * left[lane];
        product[lane] *= weight[lane];
        left[lane] *= 1.0F - shares[lane];
      }
      add_scaled<kWidth>(weight, from_.at(first), width_, stride_, gradients_[kValue].at(take.key));
      shares += kLanes, product += kLanes;
    }
  }

  // From the furthest key to the nearest: a larger share takes from all keys behind it.
  template <int kWidth>
  void spread_scores(std::int64_t first, const float* shares) {
    float behind[kLanes] = {}, slope[kLanes];
    for (std::size_t i = takes_.size(); i-- > 0;) {
      const Take& take = takes_[i];
      const float* share = shares + i * kLanes;
      const float* product = products_.data() + i * kLanes;
      float* of_side = side_gradients_[take.side].at(first);
      for (int lane = 0; lane < kLanes; ++lane) {
        slope[lane] = product[lane] * (1.0F - share[lane]) - share[lane] * behind[lane];
        behind[lane] += product[lane];
        of_side[lane] += slope[lane];
      }
      add_scaled<kWidth>(slope, in_[kKey].at(take.key), width_, stride_,
                         gradients_[kQuery].at(first));
      add_scaled<kWidth>(slope, in_[kQuery].at(first), width_, stride_,
                         gradients_[kKey].at(take.key));
    }
  }

  void store(const float* scale, GeometricGradients& gradient) const {
    for (const int part : {kQuery, kKey, kValue}) {
      gradients_[part].store(length_, width_, part == kValue ? 1 : scale[0],
                             columns(gradient.x, part_columns_[part]));
    }
    for (const int side : {0, 1}) {
      side_gradients_[side].store(length_, 1, scale[1], columns(gradient.x, side_columns_[side]));
    }
    double score = 0, of_side = 0, bias = 0;
    for (std::int64_t d = 0; d < width_; ++d) {
      const float *q = in_[kQuery].at(d * stride_), *slope = gradients_[kQuery].at(d * stride_);
      for (std::int64_t i = 0; i < length_; ++i) score += double{q[i]} * double{slope[i]};
    }
    for (const int side : {0, 1}) {
      const float *value = sides_[side].at(0), *slope = side_gradients_[side].at(0);
      for (std::int64_t i = 0; i < length_; ++i) {
        of_side += double{value[i]} * double{slope[i]};
        bias += double{slope[i]};
      }
    }
    gradient.scale[0] += score;
    gradient.scale[1] += of_side;
    gradient.scale[2] += bias;
  }

  std::int64_t begin_ = 0, length_ = 0, width_ = 0, stride_ = 0;
  std::int64_t part_columns_[3] = {}, side_columns_[2] = {};  // where they begin in a token's input
  Turned in_[3], sides_[2], from_, gradients_[3], side_gradients_[2];
  std::vector<Take> takes_;      // of a block
  std::vector<float> products_;  // likewise
};

}  // namespace

std::int64_t geometric_shares(const GeometricShape& shape) {
  std::int64_t count = 0;
  for (std::int64_t row = 0; row < shape.rows.rows(); ++row) {
    count += shape.heads * nn::nearest_shares(shape.rows.length(row));
  }
  return count;
}

void geometric_forward(const GeometricShape& shape, const float* scale, In x, float* shares,
                       Out out) {
  const nn::HeadShape heads{shape.heads, shape.dim};
  std::vector<float> room;
  for (std::int64_t row = 0; row < shape.rows.rows(); ++row) {
    const std::int64_t begin = shape.rows.begin(row), length = shape.rows.length(row);
    room.resize(std::max(room.size(), static_cast<std::size_t>(nn::nearest_room(heads, length))));
    nn::best_kernels().attend_nearest_match(heads, {x.row(begin), length, scale}, room.data(),
                                            shares, out.row(begin));
    shares += shape.heads * nn::nearest_shares(length);
  }
}

void geometric_backward(const GeometricShape& shape, const float* scale, In x, const float* shares,
                        In out_gradient, GeometricGradients& gradient) {
  Head one;
  nn::common::with_width(shape.dim / shape.heads, [&](auto fixed) {
    for (std::int64_t row = 0; row < shape.rows.rows(); ++row) {
      for (int head = 0; head < shape.heads; ++head) {
        one.read(shape, x, row, head);
        one.backward<fixed()>(scale, shares, out_gradient, gradient);
        shares += nn::nearest_shares(shape.rows.length(row));
      }
    }
  });
}

}  // namespace nrs::learn::kernels
