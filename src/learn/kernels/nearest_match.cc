// All queries of a row look at their m-th neighbour to the right at once, then at the m-th to the
// left, for m = 1, 2, ...: that is the order in which shares are taken, and it makes vectors of
// neighbouring queries and of neighbouring keys, without gathering.
#include "learn/kernels/nearest_match.h"

#include <algorithm>

#include "nn/fast_math.h"

namespace nrs::kernels {
namespace {

constexpr std::int64_t kLanes = 8;

std::int64_t padded(std::int64_t count) {
  return (count + kLanes - 1) / kLanes * kLanes;
}

// Shares of a head of a row of this length: for each distance, right and left.
std::int64_t shares_of(std::int64_t length) {
  std::int64_t count = 0;
  for (std::int64_t m = 1; m < length; ++m) count += 2 * padded(length - m);
  return count;
}

// Columns of one head, turned: [width, stride], zeros beyond the last token. Reading a vector that
// begins at any token stays inside.
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
      for (std::int64_t d = 0; d < width; ++d) values_[d * stride + i] = row[d];
    }
  }
  void store(std::int64_t count, std::int64_t width, float factor, Out x) const {
    for (std::int64_t i = 0; i < count; ++i) {
      float* row = x.row(i);
      for (std::int64_t d = 0; d < width; ++d) row[d] = factor * values_[d * stride_ + i];
    }
  }
  float* at(std::int64_t token) { return values_.data() + token; }
  const float* at(std::int64_t token) const { return values_.data() + token; }

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
    stride_ = padded(length_) + kLanes;
    for (const int part : {kQuery, kKey, kValue})
      part_columns_[part] = part * shape.dim + head * width_;
    for (const int side : {0, 1}) side_columns_[side] = 3 * shape.dim + side * shape.heads + head;
    for (const int part : {kQuery, kKey, kValue}) {
      in_[part].fill(columns(x, part_columns_[part]), length_, width_, stride_);
    }
    for (const int side : {0, 1}) {
      sides_[side].fill(columns(x, side_columns_[side]), length_, 1, stride_);
    }
  }

  // Where its part of a result is, of which every head makes some columns.
  template <class Float>
  Matrix<Float> its_columns(Matrix<Float> result) const {
    return columns(result, part_columns_[kQuery]);
  }

  template <int kWidth>
  void forward(GeometricScale scale, float* shares, Out out) {
    left_over_.assign(static_cast<std::size_t>(stride_), 1.0F);
    to_.reset(width_, stride_);
    for (std::int64_t m = 1; m < length_; ++m) {
      for (const int side : {0, 1}) {
        take_shares<kWidth>(scale, m, side, shares);
        shares += padded(length_ - m);
      }
    }
    to_.store(length_, width_, 1, out);
  }

  // Leaves the gradients of its input in gradient.x; adds those of the scale.
  template <int kWidth>
  void backward(GeometricScale scale, const float* shares, In out_gradient,
                GeometricGradients& gradient) {
    from_.fill(out_gradient, length_, width_, stride_);
    for (Turned& one : gradients_) one.reset(width_, stride_);
    for (Turned& one : side_gradients_) one.reset(1, stride_);
    products_.resize(static_cast<std::size_t>(shares_of(length_)));
    spread_values<kWidth>(shares);
    spread_scores<kWidth>(shares);
    store(scale, gradient);
  }

 private:
  enum Part { kQuery, kKey, kValue };
  // The queries of side 0 are the first n tokens and their keys the last n; of side 1 the other way
  // round.
  struct Shift {
    std::int64_t query, key;
  };
  static Shift shift_of(std::int64_t distance, int side) {
    return side == 0 ? Shift{0, distance} : Shift{distance, 0};
  }

  template <class Float>
  Matrix<Float> columns(Matrix<Float> x, std::int64_t first) const {
    return {x.row(begin_) + first, x.stride};
  }

  template <int kWidth>
  void take_shares(GeometricScale scale, std::int64_t m, int side, float* shares) {
    const Shift shift = shift_of(m, side);
    const std::int64_t count = length_ - m;
    const float* bias = sides_[side].at(shift.query);
    float* left = left_over_.data() + shift.query;
    for (std::int64_t t = 0; t < count; t += kLanes) {
      float weight[kLanes];
      dot<kWidth>(in_[kQuery].at(shift.query + t), in_[kKey].at(shift.key + t), width_, stride_,
                  weight);
      const std::int64_t real = count - t;
#pragma omp simd
      for (int lane = 0; lane < kLanes; ++lane) {
        const float z = scale.score * weight[lane] + scale.side * bias[t + lane] + scale.bias;
        const float power = fast_exp(-z);
        const float share = lane < real ? 1.0F / (1.0F + power) : 0.0F;
        const float rest = lane < real ? power * share : 1.0F;
        shares[t + lane] = share;
        weight[lane] = share * left[t + lane];
        left[t + lane] *= rest;
      }
      add_scaled<kWidth>(weight, in_[kValue].at(shift.key + t), width_, stride_,
                         to_.at(shift.query + t));
    }
  }

  // The gradient of the values, and in products_ each A times its gradient.
  template <int kWidth>
  void spread_values(const float* shares) {
    left_over_.assign(static_cast<std::size_t>(stride_), 1.0F);
    float* product = products_.data();
    for (std::int64_t m = 1; m < length_; ++m) {
      for (const int side : {0, 1}) {
        const Shift shift = shift_of(m, side);
        float* left = left_over_.data() + shift.query;
        for (std::int64_t t = 0; t < length_ - m;
             t += kLanes, shares += kLanes, product += kLanes) {
          float weight[kLanes];
          dot<kWidth>(from_.at(shift.query + t), in_[kValue].at(shift.key + t), width_, stride_,
                      product);
          for (int lane = 0; lane < kLanes; ++lane) {
            weight[lane] = shares[lane] * left[t + lane];
            product[lane] *= weight[lane];
            left[t + lane] *= 1.0F - shares[lane];
          }
          add_scaled<kWidth>(weight, from_.at(shift.query + t), width_, stride_,
                             gradients_[kValue].at(shift.key + t));
        }
      }
    }
  }

  // From the furthest key to the nearest: a larger share takes from all keys behind it.
  template <int kWidth>
  void spread_scores(const float* shares) {
    left_over_.assign(static_cast<std::size_t>(stride_), 0.0F);
    std::int64_t at = shares_of(length_);
    for (std::int64_t m = length_ - 1; m > 0; --m) {
      for (const int side : {1, 0}) {
        const Shift shift = shift_of(m, side);
        at -= padded(length_ - m);
        float* behind = left_over_.data() + shift.query;
        float* of_side = side_gradients_[side].at(shift.query);
        for (std::int64_t t = 0; t < length_ - m; t += kLanes) {
          const float* share = shares + at + t;
          const float* product = products_.data() + at + t;
          float slope[kLanes];
          for (int lane = 0; lane < kLanes; ++lane) {
            slope[lane] = product[lane] * (1.0F - share[lane]) - share[lane] * behind[t + lane];
            behind[t + lane] += product[lane];
            of_side[t + lane] += slope[lane];
          }
          add_scaled<kWidth>(slope, in_[kKey].at(shift.key + t), width_, stride_,
                             gradients_[kQuery].at(shift.query + t));
          add_scaled<kWidth>(slope, in_[kQuery].at(shift.query + t), width_, stride_,
                             gradients_[kKey].at(shift.key + t));
        }
      }
    }
  }

  void store(GeometricScale scale, GeometricGradients& gradient) const {
    for (const int part : {kQuery, kKey, kValue}) {
      gradients_[part].store(length_, width_, part == kValue ? 1 : scale.score,
                             columns(gradient.x, part_columns_[part]));
    }
    for (const int side : {0, 1}) {
      side_gradients_[side].store(length_, 1, scale.side, columns(gradient.x, side_columns_[side]));
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
  Turned in_[3], sides_[2], to_;
  Turned from_, gradients_[3], side_gradients_[2];
  std::vector<float> left_over_;  // [stride] of each query; backward: what the keys behind got
  std::vector<float> products_;
};

}  // namespace

std::vector<std::int64_t> geometric_share_offsets(const GeometricShape& shape) {
  std::vector<std::int64_t> offsets{0};
  for (std::int64_t row = 0; row < shape.rows.rows(); ++row) {
    offsets.push_back(offsets.back() + shape.heads * shares_of(shape.rows.length(row)));
  }
  return offsets;
}

namespace {

// Calls back with every head of every row, the width of heads as a constant, and where the shares
// of that head are.
template <class Call>
void for_each_head(const GeometricShape& shape, In x, const Call& call) {
  const auto offsets = geometric_share_offsets(shape);
  Head one;
  for (std::int64_t row = 0; row < shape.rows.rows(); ++row) {
    const std::int64_t per_head = shares_of(shape.rows.length(row));
    for (int head = 0; head < shape.heads; ++head) {
      one.read(shape, x, row, head);
      const std::int64_t shares = offsets[static_cast<std::size_t>(row)] + head * per_head;
      with_width(shape.dim / shape.heads, [&](auto fixed) { call(one, fixed, shares); });
    }
  }
}

}  // namespace

void geometric_forward(const GeometricShape& shape, GeometricScale scale, In x, float* shares,
                       Out out) {
  for_each_head(shape, x, [&](Head& head, auto fixed, std::int64_t first_share) {
    head.forward<fixed()>(scale, shares + first_share, head.its_columns(out));
  });
}

void geometric_backward(const GeometricShape& shape, GeometricScale scale, In x,
                        const float* shares, In out_gradient, GeometricGradients& gradient) {
  for_each_head(shape, x, [&](Head& head, auto fixed, std::int64_t first_share) {
    head.backward<fixed()>(scale, shares + first_share, head.its_columns(out_gradient), gradient);
  });
}

}  // namespace nrs::kernels
