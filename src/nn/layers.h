#pragma once
// The parts that networks are made of, with the weights of a model file. Const and thread-safe;
// working memory is the caller's. What positions are made of training and running a model must
// agree on to the bit.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "nn/config.h"
#include "nn/kernels.h"
#include "nn/packing.h"
#include "nn/tensor_names.h"

namespace nrs::nn {

// Rows that pass through a whole sub-layer together, so that they stay in the nearest cache.
inline constexpr std::int64_t kTileRows = 48;

// Working memory that is kept from call to call: floats aligned to cache lines. It only ever grows,
// so that a steady run allocates nothing.
class Buffer {
 public:
  // Room for `count` floats. What was in it is kept only if it did not have to grow.
  float* get(std::int64_t count) {
    if (const auto wanted = static_cast<std::size_t>(count); wanted > size_) {
      data_.reset(static_cast<float*>(::operator new(wanted * sizeof(float), kAlignment)));
      size_ = wanted;
    }
    return data_.get();
  }
  // Room for `count` floats, of which the first `kept` stay as they are.
  float* grow(std::int64_t count, std::int64_t kept) {
    if (static_cast<std::size_t>(count) > size_) {
      Buffer larger;
      std::copy_n(data_.get(), kept, larger.get(count));
      std::swap(*this, larger);
    }
    return data_.get();
  }
  float* data() const { return data_.get(); }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Free {
    void operator()(float* data) const { ::operator delete(data, kAlignment); }
  };

  std::unique_ptr<float, Free> data_;
  std::size_t size_ = 0;
};

// A weight [out, in] with its bias [out], in the order in which the product of `kernels` reads it.
//
// Written by hand because of a law that no library promises: every element is the same sum in the
// same order, whatever the number of rows. So a token's result is the same to the bit in any batch,
// in any cut of a formula and on any number of threads.
class LayerMatrix {
 public:
  // Without a bias it is zero.
  LayerMatrix(const Weights& weight, std::span<const float> bias,
              const Kernels& kernels = best_kernels());

  int in() const { return in_; }
  int out() const { return out_; }

  // out [rows, out()] = x [rows, in()] * weight + bias
  void multiply(const float* x, std::int64_t rows, float* out) const;
  // out += the same
  void multiply_add(const float* x, std::int64_t rows, float* out) const;

 private:
  const Kernels* kernels_;
  int in_;
  int out_;
  Buffer panels_;  // as in PackedMatrix
};

// The weights of one part of a module, by the names they have in that part.
class WeightReader {
 public:
  // `weights` must outlive this, and have passed check_model().
  WeightReader(const WeightMap& weights, std::string_view prefix)
      : weights_(&weights), prefix_(prefix) {}

  WeightReader part(const std::string& name) const { return {*weights_, prefix_ + name + "."}; }
  bool has(const std::string& name) const { return weights_->contains(prefix_ + name); }
  const Weights& get(const std::string& name) const { return weights_->at(prefix_ + name); }
  // Empty if there is none.
  std::vector<float> values(const std::string& name) const {
    return has(name) ? get(name).values : std::vector<float>();
  }
  LayerMatrix matrix(const std::string& name) const {
    return {get(name + ".weight"), get(name + ".bias").values};
  }

 private:
  const WeightMap* weights_;
  std::string prefix_;
};

struct LayerNorm {
  explicit LayerNorm(const WeightReader& weights)
      : gamma(weights.values("weight")), beta(weights.values("bias")) {}
  NormWeights weights() const {
    return {gamma.data(), beta.data(), static_cast<int>(gamma.size())};
  }

  std::vector<float> gamma, beta;  // [D]
};

// Where a sub-layer stands in the stream.
struct SubLayer {
  Norm place;
  bool residual;
  LayerNorm norm;

  // x [rows, D] is the stream. `function(in, add)` reads [rows, D] and writes its result to x:
  // adds it, or puts it there. normed: room for [kTileRows, D].
  template <class Function>
  void run(float* x, std::int64_t rows, float* normed, const Function& function) const {
    const NormWeights weights = norm.weights();
    if (place == Norm::kPre) {
      best_kernels().norm_rows(weights, x, rows, normed, nullptr);
    } else if (!residual) {
      std::copy_n(x, rows * weights.dim, normed);
    }
    function(place == Norm::kPre || !residual ? normed : x, residual);
    if (place == Norm::kPost) best_kernels().norm_rows(weights, x, rows, x, nullptr);
  }
};

class FeedForward {
 public:
  FeedForward(Activation activation, const WeightReader& weights)
      : activation_(activation), up_(weights.matrix("up")), down_(weights.matrix("down")) {}

  // out [rows, D] = or += f(x [rows, D])
  void run(const float* x, std::int64_t rows, Buffer& hidden, bool add, float* out) const;

 private:
  Activation activation_;
  LayerMatrix up_, down_;
};

// Vectors that are added to tokens, by row of a table. Empty: nothing is added.
class Table {
 public:
  Table() = default;
  Table(std::vector<float> values, int dim) : values_(std::move(values)), dim_(dim) {}

  bool empty() const { return values_.empty(); }
  void add(std::int64_t row, float* x) const {
    const float* from = values_.data() + row * dim_;
    for (int d = 0; d < dim_; ++d) x[d] += from[d];
  }

 private:
  std::vector<float> values_;  // [rows, D]
  int dim_ = 0;
};

// Sorted labels in [0, range) for one row. They may repeat, as in the paper. Each row draws its
// own, of its own length, where the authors draw once for the padded batch: a row must not depend
// on its companions.
void draw_labels(int range, Rng& rng, std::span<std::int32_t> labels);

// sin and cos of the positions 0..count-1 in alternating channels: table [count, dim].
void fill_sinusoids(int count, int dim, float* table);

// The table of a kind of positions: learned, or sinusoids of `rows` positions.
Table position_table(Positions positions, int rows, int dim, const WeightReader& weights);

}  // namespace nrs::nn
