#pragma once
// Which tensors a module has, by its configuration: the one list that the model file, the runtime
// and the training modules agree on.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nn/config.h"
#include "nn/router_config.h"
#include "nn/weights.h"

namespace nrs::nn {

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
