#pragma once
// Packed rows as a padded batch and back, for what is made of torch operations only.
#include <torch/types.h>

#include <algorithm>
#include <cstdint>

#include "nn/packing.h"

namespace nrs::learn {

struct Padding {
  torch::Tensor token;  // [B * L] int64: the packed token at each place, 0 for padding
  torch::Tensor real;   // [B, L] bool
  torch::Tensor place;  // [N] int64: where each packed token went
  std::int64_t rows, length;

  Padding(const nn::Packing& packing, const torch::Device& device)
      : rows(packing.rows()), length(1) {
    for (std::int64_t r = 0; r < rows; ++r) length = std::max(length, packing.length(r));
    token = torch::zeros({rows * length}, torch::kInt64);
    real = torch::zeros({rows, length}, torch::kBool);
    place = torch::empty({packing.tokens()}, torch::kInt64);
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t i = 0; i < packing.length(r); ++i) {
        token.data_ptr<std::int64_t>()[r * length + i] = packing.begin(r) + i;
        real.data_ptr<bool>()[r * length + i] = true;
        place.data_ptr<std::int64_t>()[packing.begin(r) + i] = r * length + i;
      }
    }
    token = token.to(device), real = real.to(device), place = place.to(device);
  }
  // [N, D] -> [B, H, L, D / H]
  torch::Tensor heads(const torch::Tensor& x, int count) const {
    return x.index_select(0, token).view({rows, length, count, -1}).transpose(1, 2);
  }
  // [B, H, L, D / H] -> [N, D]
  torch::Tensor packed(const torch::Tensor& x) const {
    return x.transpose(1, 2).reshape({rows * length, -1}).index_select(0, place);
  }
};

}  // namespace nrs::learn
