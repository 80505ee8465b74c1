#pragma once
// Between torch modules and the plain weights of a model file.
#include <torch/nn/module.h>
#include <torch/types.h>

#include <string_view>

#include "model/model_file.h"

namespace nrs::learn {

// All parameters, with `prefix` before their names.
nn::WeightMap export_weights(const torch::nn::Module& module, std::string_view prefix);

// Sets all parameters from what export_weights() gave. A tensor may have more rows than that, as
// for more positions; these stay as they are. False, and nothing is done, if anything else differs.
bool import_weights(torch::nn::Module& module, std::string_view prefix,
                    const nn::WeightMap& weights);

// Sets all parameters from one buffer [N], in the order in which the module lists them. Throws
// Error (input) if it has another number of weights.
void set_weights(torch::nn::Module& module, const torch::Tensor& weights);

}  // namespace nrs::learn
