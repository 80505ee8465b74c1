#pragma once
// The weights of a network by name, and which of them a module has, by its configuration: the one
// list that the model file, the runtime and the training modules agree on.
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "nn/config.h"

namespace nrs::nn {

using TensorShape = std::vector<std::uint64_t>;  // empty: one number without an axis

struct Weights {
  TensorShape shape;
  std::vector<float> values;  // row-major

  bool operator==(const Weights&) const = default;
};

// By their full names, "selector.head.bias".
using WeightMap = std::map<std::string, Weights, std::less<>>;

struct ExpectedTensor {
  std::string name;
  TensorShape shape;
};

// What the names of a module's tensors begin with.
inline constexpr std::string_view kSelectorPrefix = "selector.";
inline constexpr std::string_view kSolverPrefix = "solver.";
inline constexpr std::string_view kRouterPrefix = "router.";

// The vocabularies are the sizes of the tokenizers; only a Selector that writes has an output.
std::vector<ExpectedTensor> selector_tensors(const SelectorConfig& config, int vocabulary,
                                             int output_vocabulary = 0);
std::vector<ExpectedTensor> solver_tensors(const SolverConfig& config, int input_vocabulary,
                                           int output_vocabulary);
std::vector<ExpectedTensor> router_tensors(const RouterConfig& config, int input_vocabulary,
                                           int output_vocabulary);

}  // namespace nrs::nn
