#include "learn/train/export.h"

#include <torch/autograd.h>

#include <string>

#include "nrs/error.h"

namespace nrs::learn {

nn::WeightMap export_weights(const torch::nn::Module& module, std::string_view prefix) {
  nn::WeightMap weights;
  for (const auto& item : module.named_parameters()) {
    const torch::Tensor tensor =
        item.value().detach().to(torch::kCPU, torch::kFloat32).contiguous();
    nn::Weights& entry = weights[std::string(prefix) + item.key()];
    for (const std::int64_t size : tensor.sizes()) {
      entry.shape.push_back(static_cast<std::uint64_t>(size));
    }
    const float* values = tensor.data_ptr<float>();
    entry.values.assign(values, values + tensor.numel());
  }
  return weights;
}

void set_weights(torch::nn::Module& module, const torch::Tensor& weights) {
  const torch::NoGradGuard no_grad;
  std::int64_t count = 0;
  for (const torch::Tensor& parameter : module.parameters()) count += parameter.numel();
  if (count != weights.numel()) {
    throw Error(ErrorKind::kInput, "the checkpoint is of a module with " +
                                       std::to_string(weights.numel()) + " weights, this one has " +
                                       std::to_string(count));
  }
  std::int64_t begin = 0;
  for (torch::Tensor& parameter : module.parameters()) {
    parameter.copy_(weights.narrow(0, begin, parameter.numel()).view(parameter.sizes()));
    begin += parameter.numel();
  }
}

}  // namespace nrs::learn
