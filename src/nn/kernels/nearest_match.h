#pragma once
// Attention to the nearest match, as in a Neural Data Router.
//
// Columns are computed kNearestTogether at a time: all of them look at their m-th neighbour to the
// right, then at the m-th to the left, for m = 1, 2, ... That is the order in which shares are
// taken, and makes vectors of neighbouring columns. The shares that are left for whoever trains
// have that order, too: for each block of columns, for each m, those to the right if the first
// column of the block has such a neighbour, and those to the left if the last one has.
#include <cstdint>

#include "nn/fast_math.h"
#include "nn/kernels.h"
#include "nn/kernels/vectors.h"

namespace nrs::nn::NRS_COPY {

// What is left over for further keys: less changes no answer.
inline constexpr float kNothingLeft = 1e-9F;

// Partial sums of a dot product: as many as dot() has, so that both have the same bits.
#ifdef __AVX512F__
inline constexpr int kPartialSums = 16;
#else
inline constexpr int kPartialSums = kLanes;
#endif

// A block of columns as vectors.
inline constexpr int kBlockLanes = kNearestTogether / kLanes;
struct BlockVector {
  Lanes lanes[kBlockLanes];
};

inline void add_products(const float* a, const float* b, BlockVector& sum) {
  for (int i = 0; i < kBlockLanes; ++i) {
    Lanes left, right;
    load(a + i * kLanes, left);
    load(b + i * kLanes, right);
    add_product(left, right, sum.lanes[i]);
  }
}

inline void store(const BlockVector& from, float* to) {
  for (int i = 0; i < kBlockLanes; ++i) {
    store(from.lanes[i], to + i * kLanes);
  }
}

// One head of all columns, turned: a row for each number of the query, the key and the value, and
// one for what is added to the scores on each side. There are zeros before and behind each row.
template <int kWidth>
class NearestHead {
 public:
  NearestHead(HeadShape shape, const NearestColumns& columns, float* room)
      : width_(kWidth > 0 ? kWidth : shape.dim / shape.heads),
        count_(columns.count),
        stride_(columns.count + 3 * kNearestTogether),
        room_(room + kNearestTogether),
        found_(room + (3 * width_ + 2) * stride_) {
    for (std::int64_t i = 0; i < (3 * width_ + 2) * stride_; ++i) room[i] = 0;
  }

  void read(HeadShape shape, const NearestColumns& columns, int head) {
    const float* in = columns.in;
    const float* scale = columns.scale;
    score_ = scale[0];
    for (std::int64_t i = 0; i < count_; ++i, in += 3 * shape.dim + 2 * shape.heads) {
      for (int part = 0; part < 3; ++part) {
        const float* from = in + part * shape.dim + head * width_;
        for (int d = 0; d < width_; ++d) row(part * width_ + d)[i] = from[d];
      }
      const float* sides = in + 3 * shape.dim + head;
      row(3 * width_)[i] = scale[1] * sides[0] + scale[2];
      row(3 * width_ + 1)[i] = scale[1] * sides[shape.heads] + scale[2];
    }
  }

  // out: the columns of this head. Returns where the shares of the next head go.
  float* attend(std::int64_t stride, float* shares, float* out) {
    for (std::int64_t first = 0; first < count_; first += kNearestTogether) {
      shares = attend_block(first, shares);
      for (int lane = 0; lane < kNearestTogether && first + lane < count_; ++lane) {
        float* to = out + (first + lane) * stride;
        for (int d = 0; d < width_; ++d) to[d] = found_[d * kNearestTogether + lane];
      }
    }
    return shares;
  }

 private:
  float* row(int index) const { return room_ + index * stride_; }

  // What is left of the attention of each column of a block.
  struct Rest {
    float left[kNearestTogether];
    float open[kNearestTogether];  // whether it was worth a further look; 0 or 1

    bool look() {
      float any = 0;
      for (int lane = 0; lane < kNearestTogether; ++lane) {
        open[lane] = left[lane] > kNothingLeft ? 1.0F : 0.0F;
        any += open[lane];
      }
      return any > 0;
    }
  };

  float* attend_block(std::int64_t first, float* shares) {
    clear(found_, width_ * kNearestTogether);
    Rest rest;
    for (float& left : rest.left) left = 1;
    const std::int64_t right = count_ - 1 - first;
    const std::int64_t last = first + kNearestTogether < count_ ? first + kNearestTogether : count_;
    for (std::int64_t m = 1; m <= right || m < last; ++m) {
      if (!rest.look() && shares == nullptr) break;
      if (m <= right) shares = take(first, first + m, row(3 * width_) + first, rest, shares);
      if (m < last) shares = take(first, first - m, row(3 * width_ + 1) + first, rest, shares);
    }
    return shares;
  }

  // The columns from `query` on and the keys from `key` on, one each.
  float* take(std::int64_t query, std::int64_t key, const float* side, Rest& rest, float* shares) {
    float dots[kNearestTogether], weights[kNearestTogether], share[kNearestTogether];
    multiply(room_ + query, row(width_) + key, dots);
    const std::int64_t last = query > key ? query : key;
    const int begin = key < 0 ? static_cast<int>(-key) : 0;
    const int end =
        count_ - last < kNearestTogether ? static_cast<int>(count_ - last) : kNearestTogether;
    const float score = score_;
#pragma omp simd
    for (int lane = 0; lane < kNearestTogether; ++lane) {
      const float power = fast_exp(-(score * dots[lane] + side[lane]));
      const float taken = 1.0F / (1.0F + power), left = rest.left[lane];
      const float real = ((lane >= begin) & (lane < end)) ? taken : 0.0F;
      const float weight = rest.open[lane] > 0 ? real * left : 0.0F;
      const float after = rest.open[lane] > 0 ? left * (power * taken) : left;
      share[lane] = real;
      weights[lane] = weight;
      rest.left[lane] = ((lane >= begin) & (lane < end)) ? after : left;
    }
    const float* value = row(2 * width_) + key;
    for (int d = 0; d < width_; ++d, value += stride_) {
      float* to = found_ + d * kNearestTogether;
      BlockVector sum;
      for (int i = 0; i < kBlockLanes; ++i) load(to + i * kLanes, sum.lanes[i]);
      add_products(weights, value, sum);
      store(sum, to);
    }
    if (shares == nullptr) return nullptr;
    for (int lane = 0; lane < kNearestTogether; ++lane) shares[lane] = share[lane];
    return shares + kNearestTogether;
  }

  // As dot() does it: partial sums, then their sum from the first to the last, then the rest.
  void multiply(const float* a, const float* b, float* out) const {
    const int whole = width_ - width_ % kPartialSums;
    BlockVector total{};
    if (whole > 0) {
      BlockVector sums[kPartialSums] = {};
      for (int d = 0; d < whole; d += kPartialSums) {
        for (int s = 0; s < kPartialSums; ++s, a += stride_, b += stride_) {
          add_products(a, b, sums[s]);
        }
      }
      for (const BlockVector& sum : sums) {
        for (int i = 0; i < kBlockLanes; ++i) total.lanes[i] += sum.lanes[i];
      }
    }
    for (int d = whole; d < width_; ++d, a += stride_, b += stride_) add_products(a, b, total);
    store(total, out);
  }

  int width_;
  std::int64_t count_, stride_;
  float* room_;   // [3 * width + 2, stride], from the first column on
  float* found_;  // [width, kNearestTogether]
  float score_ = 0;
};

inline void attend_nearest_match(HeadShape shape, const NearestColumns& columns, float* room,
                                 float* shares, float* out) {
  const int width = shape.dim / shape.heads;
  with_width(width, [&](auto known_width) {
    NearestHead<known_width()> one(shape, columns, room);
    for (int head = 0; head < shape.heads; ++head) {
      one.read(shape, columns, head);
      shares = one.attend(shape.dim, shares, out + head * width);
    }
  });
}

}  // namespace nrs::nn::NRS_COPY
