#pragma once
// The networks as their definitions say, made of the plain twins of their operations. Without
// dropout and labels, in any precision.
#include <torch/nn/module.h>

#include <string>

#include "learn/examples/batches.h"
#include "learn/nets/fused.h"

namespace nrs::learn::reference {

// The weights of a network, in its order; gradients are collected in them.
using Weights = torch::OrderedDict<std::string, torch::Tensor>;
Weights weights_of(const torch::nn::Module& net, torch::Dtype type);
// Of all weights together.
torch::Tensor gradient_of(const Weights& weights);

torch::Tensor solver_logits(const Weights& weights, const nn::SolverConfig& config,
                            const nn::TokenRows& leaves, const nn::TokenRows& written);
torch::Tensor router_logits(const Weights& weights, const nn::RouterConfig& config,
                            const Batch& batch);

}  // namespace nrs::learn::reference
