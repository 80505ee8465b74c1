#pragma once
// The weights of a network by name.
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace nrs::nn {

using TensorShape = std::vector<std::uint64_t>;  // empty: one number without an axis

struct Weights {
  TensorShape shape;
  std::vector<float> values;  // row-major

  bool operator==(const Weights&) const = default;
};

// By their full names, "selector.head.bias"; which there are: tensor_names.h.
using WeightMap = std::map<std::string, Weights, std::less<>>;

}  // namespace nrs::nn
