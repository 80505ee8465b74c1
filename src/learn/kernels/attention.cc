// Attention over short rows: scores, softmax and weighted sum of one row and head at a time, all of
// it in the nearest cache.
#include <cmath>
#include <vector>

#include "learn/kernels/kernel_math.h"
#include "learn/kernels/kernels.h"

namespace nrs::kernels {
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
  const std::int64_t steps = kWidth > 0 ? kWidth : width;
  for (std::int64_t j = 0; j < count; ++j) {
    float* row = x.row(j);
#pragma omp simd
    for (std::int64_t d = 0; d < steps; ++d) row[d] += weights[j] * vector[d];
  }
}

struct Head {
  std::int64_t queries;
  std::int64_t keys;
  std::int64_t width;
  float scale;
  bool causal;
  const float* match_bias;  // of this head; null: softmax

  std::int64_t seen(std::int64_t query) const { return causal ? std::min(query + 1, keys) : keys; }
};

struct Scratch {
  int part = 0;  // of the work, one for each thread
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

template <int kWidth>
void head_forward(const Head& head, const AttentionInputs& in, float* weights, Out out,
                  Scratch& scratch) {
  scratch.turned.fill(in.k, head.keys, head.width);
  scratch.scores.resize(static_cast<std::size_t>(scratch.turned.padded()));
  float* scores = scratch.scores.data();
  for (std::int64_t i = 0; i < head.queries; ++i, weights += head.keys) {
    const std::int64_t seen = head.seen(i);
    if (seen > 0) {
      scratch.turned.dot<kWidth>(in.q.row(i), head.width, scores);
      if (head.match_bias != nullptr) {
        match_shares(scores, seen, head.scale, *head.match_bias);
      } else {
        softmax(scores, seen, head.scale);
      }
    }
    for (std::int64_t j = 0; j < head.keys; ++j) weights[j] = j < seen ? scores[j] : 0.0F;
    if (head.match_bias != nullptr) break_stick(weights, seen, scores);
    weighted_sum<kWidth>(scores, in.v, seen, head.width, out.row(i));
  }
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
  for (std::int64_t i = 0; i < head.queries; ++i, weights += head.keys) {
    const std::int64_t seen = head.seen(i);
    const float* from = out_gradient.row(i);
    scratch.turned.dot<kWidth>(from, head.width, scores);  // the gradient of the weights
    const float* used = weights;
    if (head.match_bias != nullptr) {
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

template <class Float>
Matrix<Float> part(Matrix<Float> x, std::int64_t row, std::int64_t column) {
  return {x.row(row) + column, x.stride};
}

// Calls work(head, first query, first key, column, weights offset, scratch) for every row and head.
template <class Work>
void for_each_head(const AttentionShape& shape, const Work& work) {
  const std::int64_t width = shape.dim / shape.heads;
  const std::vector<std::int64_t> offsets = attention_weight_offsets(shape);
  for_each_part([&](int part_index, int parts) {
    Scratch scratch;
    scratch.part = part_index;
    const auto [first, last] = rows_of_part(shape.queries, part_index, parts);
    for (std::int64_t row = first; row < last; ++row) {
      Head head{shape.queries.length(row),
                shape.keys.length(row),
                width,
                1.0F / std::sqrt(static_cast<float>(width)),
                shape.causal,
                shape.match_bias};
      for (int h = 0; h < shape.heads; ++h) {
        if (shape.match_bias != nullptr) head.match_bias = shape.match_bias + h;
        work(head, row, h * width, offsets[row] + h * head.queries * head.keys, scratch);
      }
    }
  });
}

}  // namespace

std::vector<std::int64_t> attention_weight_offsets(const AttentionShape& shape) {
  std::vector<std::int64_t> offsets{0};
  offsets.reserve(static_cast<std::size_t>(shape.queries.rows()) + 1);
  for (std::int64_t row = 0; row < shape.queries.rows(); ++row) {
    offsets.push_back(offsets.back() +
                      shape.heads * shape.queries.length(row) * shape.keys.length(row));
  }
  return offsets;
}

void attention_forward(const AttentionShape& shape, const AttentionInputs& in, float* weights,
                       Out out) {
  with_width(shape.dim / shape.heads, [&](auto width) {
    for_each_head(shape, [&](const Head& head, std::int64_t row, std::int64_t column,
                             std::int64_t offset, Scratch& scratch) {
      const std::int64_t query = shape.queries.begin(row), key = shape.keys.begin(row);
      head_forward<width()>(
          head, {part(in.q, query, column), part(in.k, key, column), part(in.v, key, column)},
          weights + offset, part(out, query, column), scratch);
    });
  });
}

void attention_backward(const AttentionShape& shape, const AttentionInputs& in,
                        const float* weights, In out_gradient, const AttentionGradients& gradient) {
  const std::int64_t width_of_head = shape.dim / shape.heads;
  Partials biases(shape.heads);
  with_width(shape.dim / shape.heads, [&](auto width) {
    for_each_head(shape, [&](const Head& head, std::int64_t row, std::int64_t column,
                             std::int64_t offset, Scratch& scratch) {
      const std::int64_t query = shape.queries.begin(row), key = shape.keys.begin(row);
      biases.of(scratch.part)[column / width_of_head] += head_backward<width()>(
          head, {part(in.q, query, column), part(in.k, key, column), part(in.v, key, column)},
          weights + offset, part(out_gradient, query, column),
          {part(gradient.q, query, column), part(gradient.k, key, column),
           part(gradient.v, key, column), nullptr},
          scratch);
    });
  });
  biases.add_up(0, shape.heads, gradient.match_bias);
}

}  // namespace nrs::kernels
