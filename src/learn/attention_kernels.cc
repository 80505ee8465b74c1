// Attention over short rows: scores, softmax and weighted sum of one row and head at a time, all of
// it in the nearest cache.
#include <cmath>
#include <vector>

#include "learn/kernel_math.h"
#include "learn/kernels.h"

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

  std::int64_t seen(std::int64_t query) const { return causal ? std::min(query + 1, keys) : keys; }
};

struct Scratch {
  Transposed turned;
  std::vector<float> scores;
};

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
      softmax(scores, seen, head.scale);
    }
    for (std::int64_t j = 0; j < head.keys; ++j) weights[j] = j < seen ? scores[j] : 0.0F;
    weighted_sum<kWidth>(scores, in.v, seen, head.width, out.row(i));
  }
}

template <int kWidth>
void head_backward(const Head& head, const AttentionInputs& in, const float* weights,
                   In out_gradient, const AttentionGradients& gradient, Scratch& scratch) {
  for (std::int64_t j = 0; j < head.keys; ++j) {
    std::fill_n(gradient.k.row(j), head.width, 0.0F);
    std::fill_n(gradient.v.row(j), head.width, 0.0F);
  }
  scratch.turned.fill(in.v, head.keys, head.width);
  scratch.scores.resize(static_cast<std::size_t>(scratch.turned.padded()));
  float* scores = scratch.scores.data();
  for (std::int64_t i = 0; i < head.queries; ++i, weights += head.keys) {
    const std::int64_t seen = head.seen(i);
    const float* from = out_gradient.row(i);
    scratch.turned.dot<kWidth>(from, head.width, scores);  // the gradient of the weights
    float mean = 0;
#pragma omp simd reduction(+ : mean)
    for (std::int64_t j = 0; j < seen; ++j) mean += weights[j] * scores[j];
    for (std::int64_t j = 0; j < seen; ++j) {
      scores[j] = head.scale * weights[j] * (scores[j] - mean);
    }
    weighted_sum<kWidth>(scores, in.k, seen, head.width, gradient.q.row(i));
    add_outer<kWidth>(scores, in.q.row(i), seen, head.width, gradient.k);
    add_outer<kWidth>(weights, from, seen, head.width, gradient.v);
  }
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
    const auto [first, last] = rows_of_part(shape.queries, part_index, parts);
    for (std::int64_t row = first; row < last; ++row) {
      const Head head{shape.queries.length(row), shape.keys.length(row), width,
                      1.0F / std::sqrt(static_cast<float>(width)), shape.causal};
      for (int h = 0; h < shape.heads; ++h) {
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
  with_width(shape.dim / shape.heads, [&](auto width) {
    for_each_head(shape, [&](const Head& head, std::int64_t row, std::int64_t column,
                             std::int64_t offset, Scratch& scratch) {
      const std::int64_t query = shape.queries.begin(row), key = shape.keys.begin(row);
      head_backward<width()>(
          head, {part(in.q, query, column), part(in.k, key, column), part(in.v, key, column)},
          weights + offset, part(out_gradient, query, column),
          {part(gradient.q, query, column), part(gradient.k, key, column),
           part(gradient.v, key, column)},
          scratch);
    });
  });
}

}  // namespace nrs::kernels
