#pragma once
// How many numbers the tensors of a module have.
#include <cstdint>
#include <span>

#include "nn/tensor_names.h"

namespace nrs {

inline std::uint64_t parameter_count(std::span<const nn::ExpectedTensor> tensors) {
  std::uint64_t count = 0;
  for (const nn::ExpectedTensor& tensor : tensors) {
    std::uint64_t numbers = 1;
    for (const std::uint64_t length : tensor.shape) numbers *= length;
    count += numbers;
  }
  return count;
}

}  // namespace nrs
