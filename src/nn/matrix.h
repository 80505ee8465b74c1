#pragma once
// The matrix product of the runtime: packed rows times the weight of a layer.
//
// Written by hand because of a law that no library promises: every element is the same sum in the
// same order, whatever the number of rows. So a token's result is the same to the bit in any batch,
// in any cut of a formula and on any number of threads.
#include <cstdint>

#include "nn/buffer.h"
#include "nn/kernels.h"
#include "nn/weights.h"

namespace nrs::nn {

// A weight [out, in] with its bias [out], in the order in which the product of `kernels` reads it.
class LayerMatrix {
 public:
  LayerMatrix(const Weights& weight, const Weights& bias, const Kernels& kernels = best_kernels());

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

}  // namespace nrs::nn
