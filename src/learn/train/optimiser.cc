#include "learn/train/optimiser.h"

#include <torch/autograd.h>
#include <torch/nn/utils/convert_parameters.h>

#include <algorithm>
#include <cmath>

#include "learn/kernels/kernels.h"

namespace nrs::learn {
namespace {

constexpr double kEpsilon = 1e-8;

}  // namespace

FlatAdam::FlatAdam(torch::nn::Module& module, const recipe::TrainConfig& config, int parts)
    : config_(config), parameters_(module.parameters()) {
  const torch::NoGradGuard no_grad;
  std::int64_t end = 0;
  for (const auto& item : module.named_parameters()) {
    names_.push_back(item.key());
    ends_.push_back(end += item.value().numel());
  }
  const torch::Tensor weights = torch::nn::utils::parameters_to_vector(parameters_);
  torch::nn::utils::vector_to_parameters(weights, parameters_);
  state_ = {.weights = weights,
            .average = weights.clone(),
            .mean = torch::zeros_like(weights),
            .square = torch::zeros_like(weights)};
  for (int part = 0; part < parts; ++part) gradients_.push_back(torch::zeros_like(weights));
}

void FlatAdam::differentiate(const torch::Tensor& loss, int part) {
  torch::Tensor& gradient = gradients_[static_cast<std::size_t>(part)];
  if (!loss.defined()) {
    gradient.zero_();
    return;
  }
  // Not backward(): that adds to what the parameters hold, which the threads share.
  const auto found = torch::autograd::grad({loss}, parameters_, {}, c10::nullopt,
                                           /*create_graph=*/false, /*allow_unused=*/true);
  const torch::NoGradGuard no_grad;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::int64_t count = parameters_[i].numel();
    const torch::Tensor place = gradient.narrow(0, ends_[i] - count, count);
    found[i].defined() ? place.copy_(found[i].reshape({-1})) : place.zero_();
  }
}

// The first that is not finite, else that with the largest number.
std::string FlatAdam::worst_parameter(const torch::Tensor& gradient) const {
  const torch::Tensor finite = torch::isfinite(gradient);
  const torch::Tensor badness =
      finite.all().item<bool>() ? gradient.abs() : finite.logical_not().to(torch::kFloat);
  const auto found = std::ranges::upper_bound(ends_, badness.argmax().item<std::int64_t>());
  return names_[static_cast<std::size_t>(found - ends_.begin())];
}

void FlatAdam::step(double rate, int step) {
  const torch::NoGradGuard no_grad;
  torch::Tensor& gradient = gradients_[0];  // from here on the sum of all, in their order
  for (std::size_t part = 1; part < gradients_.size(); ++part) gradient.add_(gradients_[part]);
  const double norm = gradient.norm().item<double>();
  if (!std::isfinite(norm)) {
    throw NonFinite("the gradient of " + worst_parameter(gradient) + " is not finite");
  }
  const bool clipped = config_.clip > 0 && norm > config_.clip;
  float* average = config_.average > 0 ? state_.average.data_ptr<float>() : nullptr;
  kernels::adam_step(
      {gradient.numel(), state_.weights.data_ptr<float>(), gradient.data_ptr<float>(),
       state_.mean.data_ptr<float>(), state_.square.data_ptr<float>(), average},
      {.rate = rate,
       .beta1 = config_.beta1,
       .beta2 = config_.beta2,
       .epsilon = kEpsilon,
       .decay = config_.optimiser == recipe::Optimiser::kAdamW ? config_.weight_decay : 0,
       .gradient_scale = clipped ? config_.clip / (norm + 1e-6) : 1,
       .mean_correction = 1 - std::pow(config_.beta1, step),
       .square_correction = 1 - std::pow(config_.beta2, step),
       // At first the average forgets faster: it must not remember the random start for long.
       .average_share = std::max(1 - config_.average, 1.0 / (step + 1))});
}

void FlatAdam::restore(const State& state) {
  state_.weights.copy_(state.weights);
  state_.average.copy_(state.average);
  state_.mean.copy_(state.mean);
  state_.square.copy_(state.square);
}

}  // namespace nrs::learn
