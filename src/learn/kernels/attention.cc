// Attention over short rows. The backward pass takes one row and head at a time, all of it in the
// nearest cache.
#include <algorithm>
#include <cmath>
#include <vector>

#include "learn/kernels/kernels.h"
#include "nn/fast_math.h"
#include "nn/kernels.h"
#include "nn/kernels/vectors.h"

namespace nrs::learn::kernels {
namespace {

constexpr std::int64_t kLanes = 8;

// Keys or values of one head, turned so that the loop over keys is the inner, vectorised one.
class Transposed {
 public:
  // x: rows of one head; count keys of `width`.
  void fill(In x, std::int64_t count, std::int64_t width) {
    padded_ = (count + kLanes - 1) / kLanes * kLanes;
    values_.assign(static_cast<std::size_t>(padded_ * width), 0.0F);
    for (std::int64_t j = 0; j < count; ++j) {
      const float* row = x.row(j);
      for (std::int64_t d = 0; d < width; ++d) values_[d * padded_ + j] = row[d];
    }
  }
  // out[j] = vector . key j for all keys, padding included.
  template <int kWidth>
  void dot(const float* vector, std::int64_t width, float* out) const {
    const std::int64_t steps = kWidth > 0 ? kWidth : width;
    for (std::int64_t block = 0; block < padded_; block += kLanes) {
      float sum[kLanes] = {};
      const float* column = values_.data() + block;
      for (std::int64_t d = 0; d < steps; ++d, column += padded_) {
        for (int lane = 0; lane < kLanes; ++lane) sum[lane] += vector[d] * column[lane];
      }
      for (int lane = 0; lane < kLanes; ++lane) out[block + lane] = sum[lane];
    }
  }
  std::int64_t padded() const { return padded_; }

 private:
  std::int64_t padded_ = 0;
  std::vector<float> values_;
};

// out [width] = sum over j of weights[j] * x row j.
template <int kWidth>
void weighted_sum(const float* weights, In x, std::int64_t count, std::int64_t width, float* out) {
  if constexpr (kWidth > 0) {
    float sum[kWidth] = {};
    for (std::int64_t j = 0; j < count; ++j) {
      const float* row = x.row(j);
      for (int d = 0; d < kWidth; ++d) sum[d] += weights[j] * row[d];
    }
    for (int d = 0; d < kWidth; ++d) out[d] = sum[d];
  } else {
    for (std::int64_t d = 0; d < width; ++d) out[d] = 0;
    for (std::int64_t j = 0; j < count; ++j) {
      const float* row = x.row(j);
#pragma omp simd
      for (std::int64_t d = 0; d < width; ++d) out[d] += weights[j] * row[d];
    }
  }
}

// x row j += weights[j] * vector.
template <int kWidth>
void add_outer(const float* weights, const float* vector, std::int64_t count, std::int64_t width,
               Out x) {
  for (std::int64_t j = 0; j < count; ++j) {
    nn::common::add_scaled<kWidth>(weights[j], vector, static_cast<int>(width), x.row(j));
  }
}

struct Head {
  std::int64_t queries;
  std::int64_t keys;
  std::int64_t width;
  float scale;
  bool causal;
  bool match;           // last match; else softmax
  std::int64_t stride;  // from the weights of one query to those of the next

  std::int64_t seen(std::int64_t query) const { return causal ? std::min(query + 1, keys) : keys; }
};

struct Scratch {
  Transposed turned;
  std::vector<float> scores;
  std::vector<float> broken;  // weights made of shares
};

// gradient [count] of the weights becomes that of the scores.
void unmix_softmax(const float* weights, std::int64_t count, float scale, float* gradient) {
  float mean = 0;
#pragma omp simd reduction(+ : mean)
  for (std::int64_t j = 0; j < count; ++j) mean += weights[j] * gradient[j];
  for (std::int64_t j = 0; j < count; ++j) {
    gradient[j] = scale * weights[j] * (gradient[j] - mean);
  }
}

// From the end on each key takes its share of what is left of 1.
void break_stick(const float* shares, std::int64_t count, float* weights) {
  float left = 1;
  for (std::int64_t j = count; j-- > 0;) {
    weights[j] = shares[j] * left;
    left *= 1 - shares[j];
  }
}

// gradient [count] of the weights becomes that of the scores before scale and bias are applied.
// Returns its sum. A share takes from all keys before it, so their part runs along from the left.
float unbreak_stick(const float* shares, const float* weights, std::int64_t count,
                    float* gradient) {
  float before = 0, sum = 0;
  for (std::int64_t j = 0; j < count; ++j) {
    const float own = gradient[j] * weights[j];
    gradient[j] = own * (1 - shares[j]) - shares[j] * before;
    before += own;
    sum += gradient[j];
  }
  return sum;
}

// Returns the sum of the gradients of all scores.
template <int kWidth>
float head_backward(const Head& head, const AttentionInputs& in, const float* weights,
                    In out_gradient, const AttentionGradients& gradient, Scratch& scratch) {
  for (std::int64_t j = 0; j < head.keys; ++j) {
    std::fill_n(gradient.k.row(j), head.width, 0.0F);
    std::fill_n(gradient.v.row(j), head.width, 0.0F);
  }
  scratch.turned.fill(in.v, head.keys, head.width);
  scratch.scores.resize(static_cast<std::size_t>(scratch.turned.padded()));
  scratch.broken.resize(static_cast<std::size_t>(head.keys));
  float* scores = scratch.scores.data();
  float total = 0;
  for (std::int64_t i = 0; i < head.queries; ++i, weights += head.stride) {
    const std::int64_t seen = head.seen(i);
    const float* from = out_gradient.row(i);
    scratch.turned.dot<kWidth>(from, head.width, scores);  // the gradient of the weights
    const float* used = weights;
    if (head.match) {
      break_stick(weights, seen, scratch.broken.data());
      used = scratch.broken.data();
      total += unbreak_stick(weights, used, seen, scores);
      for (std::int64_t j = 0; j < seen; ++j) scores[j] *= head.scale;
    } else {
      unmix_softmax(weights, seen, head.scale, scores);
    }
    weighted_sum<kWidth>(scores, in.k, seen, head.width, gradient.q.row(i));
    add_outer<kWidth>(scores, in.q.row(i), seen, head.width, gradient.k);
    add_outer<kWidth>(used, from, seen, head.width, gradient.v);
  }
  return total;
}

// The weights [count, heads] that attention leaves, each head's behind each other.
void turn(const float* from, std::int64_t count, int heads, std::int64_t stride, float* to) {
  for (int h = 0; h < heads; ++h) {
    for (std::int64_t j = 0; j < count; ++j) to[h * stride + j] = from[j * heads + h];
  }
}

template <class Float>
Matrix<Float> part(Matrix<Float> x, std::int64_t row, std::int64_t column) {
  return {x.row(row) + column, x.stride};
}

}  // namespace

std::int64_t attention_weights(const AttentionShape& shape) {
  std::int64_t count = 0;
  for (std::int64_t row = 0; row < shape.queries.rows(); ++row) {
    count += shape.heads * shape.queries.length(row) * shape.keys.length(row);
  }
  return count;
}

void attention_forward(const AttentionShape& shape, const AttentionInputs& in, float* weights,
                       Out out) {
  const nn::Kernels& kernels = nn::best_kernels();
  const nn::HeadShape heads{shape.heads, shape.dim};
  std::vector<float> scores;
  for (std::int64_t row = 0; row < shape.queries.rows(); ++row) {
    const std::int64_t first = shape.keys.begin(row), keys = shape.keys.length(row);
    for (std::int64_t i = 0; i < shape.queries.length(row); ++i) {
      const std::int64_t query = shape.queries.begin(row) + i;
      const nn::Memories seen{in.k.row(first), in.v.row(first), in.k.stride,
                              shape.causal ? std::min(i + 1, keys) : keys};
      if (shape.match_bias != nullptr) {
        kernels.attend_last_match(heads, {in.q.row(query), shape.match_bias}, {seen, {}},
                                  {weights, keys}, out.row(query));
      } else {
        scores.resize(static_cast<std::size_t>(seen.count * shape.heads));
        kernels.attend(heads, in.q.row(query), seen, scores.data(), out.row(query));
        turn(scores.data(), seen.count, shape.heads, keys, weights);
      }
      weights += shape.heads * keys;
    }
  }
}

void attention_backward(const AttentionShape& shape, const AttentionInputs& in,
                        const float* weights, In out_gradient, const AttentionGradients& gradient) {
  const std::int64_t width = shape.dim / shape.heads;
  if (gradient.match_bias != nullptr) std::fill_n(gradient.match_bias, shape.heads, 0.0F);
  Scratch scratch;
  const auto one_row = [&](auto fixed, std::int64_t row) {
    const std::int64_t query = shape.queries.begin(row), key = shape.keys.begin(row);
    const std::int64_t keys = shape.keys.length(row);
    const Head head{.queries = shape.queries.length(row),
                    .keys = keys,
                    .width = width,
                    .scale = 1.0F / std::sqrt(static_cast<float>(width)),
                    .causal = shape.causal,
                    .match = shape.match_bias != nullptr,
                    .stride = shape.heads * keys};
    for (int h = 0; h < shape.heads; ++h) {
      const std::int64_t column = h * width;
      const float scores = head_backward<fixed()>(
          head, {part(in.q, query, column), part(in.k, key, column), part(in.v, key, column)},
          weights + h * keys, part(out_gradient, query, column),
          {part(gradient.q, query, column), part(gradient.k, key, column),
           part(gradient.v, key, column)},
          scratch);
      if (gradient.match_bias != nullptr) gradient.match_bias[h] += scores;
    }
    weights += head.queries * head.stride;
  };
  nn::common::with_width(static_cast<int>(width), [&](auto fixed) {
    for (std::int64_t row = 0; row < shape.queries.rows(); ++row) one_row(fixed, row);
  });
}

}  // namespace nrs::learn::kernels
