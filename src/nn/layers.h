#pragma once
// The parts that encoder and decoder are made of, with the weights of a model file. Const and
// thread-safe; working memory is the caller's.
#include <cstdint>
#include <string>
#include <vector>

#include "nn/buffer.h"
#include "nn/config.h"
#include "nn/kernels.h"
#include "nn/matrix.h"
#include "nn/packing.h"

namespace nrs::nn {

// Rows that pass through a whole sub-layer together, so that they stay in the nearest cache.
inline constexpr std::int64_t kTileRows = 48;

// The weights of one part of a module, by the names they have in that part.
class WeightReader {
 public:
  // `weights` must outlive this, and have passed check_model().
  WeightReader(const WeightMap& weights, std::string prefix)
      : weights_(&weights), prefix_(std::move(prefix)) {}

  WeightReader part(const std::string& name) const { return {*weights_, prefix_ + name + "."}; }
  bool has(const std::string& name) const { return weights_->contains(prefix_ + name); }
  const Weights& get(const std::string& name) const { return weights_->at(prefix_ + name); }
  // Empty if there is none.
  std::vector<float> values(const std::string& name) const {
    return has(name) ? get(name).values : std::vector<float>();
  }
  LayerMatrix matrix(const std::string& name) const {
    return {get(name + ".weight"), get(name + ".bias")};
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
  FeedForward(const EncoderConfig& config, const WeightReader& weights)
      : activation_(config.activation), up_(weights.matrix("up")), down_(weights.matrix("down")) {}

  // out [rows, D] = or += f(x [rows, D]); hidden: room for [rows, hidden()].
  void run(const float* x, std::int64_t rows, float* hidden, bool add, float* out) const;
  int hidden() const { return up_.out(); }

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

// The table of a kind of positions: learned, or sinusoids of `rows` positions.
Table position_table(Positions positions, int rows, int dim, const WeightReader& weights);

}  // namespace nrs::nn
