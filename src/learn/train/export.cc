#include "learn/train/export.h"

#include <fmt/format.h>
#include <torch/autograd.h>
#include <torch/nn/utils/convert_parameters.h>

#include <algorithm>
#include <string>

#include "nrs/error.h"

namespace nrs::learn {
namespace {

// Whether a tensor is another one with more rows, or as many.
bool extends(const nn::TensorShape& shape, const nn::TensorShape& other) {
  return shape.size() == other.size() && !shape.empty() && shape[0] >= other[0] &&
         std::equal(shape.begin() + 1, shape.end(), other.begin() + 1);
}

}  // namespace

nn::WeightMap export_weights(const torch::nn::Module& module, std::string_view prefix) {
  nn::WeightMap weights;
  for (const auto& item : module.named_parameters()) {
    const torch::Tensor tensor = item.value().contiguous();
    const float* values = tensor.data_ptr<float>();
    weights[std::string(prefix) + item.key()] = {
        .shape = {tensor.sizes().begin(), tensor.sizes().end()},
        .values = {values, values + tensor.numel()}};
  }
  return weights;
}

bool import_weights(torch::nn::Module& module, std::string_view prefix,
                    const nn::WeightMap& weights) {
  const nn::WeightMap own = export_weights(module, prefix);
  const bool fits =
      own.size() == weights.size() && std::ranges::all_of(own, [&](const auto& entry) {
        const auto found = weights.find(entry.first);
        return found != weights.end() && extends(entry.second.shape, found->second.shape);
      });
  if (!fits) return false;
  const torch::NoGradGuard no_grad;
  for (auto& item : module.named_parameters()) {
    const nn::Weights& from = weights.at(std::string(prefix) + item.key());
    const auto rows = static_cast<std::int64_t>(from.shape[0]);
    torch::Tensor first = item.value().narrow(0, 0, rows);
    first.copy_(torch::tensor(from.values).view(first.sizes()));
  }
  return true;
}

void set_weights(torch::nn::Module& module, const torch::Tensor& weights) {
  std::int64_t count = 0;
  for (const torch::Tensor& parameter : module.parameters()) count += parameter.numel();
  if (count != weights.numel()) {
    throw Error(ErrorKind::kInput,
                fmt::format("the checkpoint is of a module with {} weights, this one has {}",
                            weights.numel(), count));
  }
  torch::nn::utils::vector_to_parameters(weights, module.parameters());
}

}  // namespace nrs::learn
