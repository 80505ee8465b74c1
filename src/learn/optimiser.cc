#include "learn/optimiser.h"

#include <torch/autograd.h>

#include <algorithm>
#include <cmath>

namespace nrs {
namespace {

constexpr double kEpsilon = 1e-8;

}  // namespace

FlatAdam::FlatAdam(torch::nn::Module& module, const TrainConfig& config) : config_(config) {
  const torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> parts;
  std::int64_t end = 0;
  for (const auto& item : module.named_parameters()) {
    names_.push_back(item.key());
    parts.push_back(item.value().detach().reshape({-1}));
    ends_.push_back(end += item.value().numel());
  }
  weights_ = torch::cat(parts);
  gradient_ = torch::zeros_like(weights_);
  mean_ = torch::zeros_like(weights_);
  square_ = torch::zeros_like(weights_);
  average_ = weights_.clone();
  std::int64_t begin = 0;
  for (torch::Tensor& parameter : module.parameters()) {
    const auto count = parameter.numel();
    const auto shape = parameter.sizes().vec();
    parameter.set_data(weights_.narrow(0, begin, count).view(shape));
    // Autograd adds to a gradient that is already there, so it keeps filling our buffer.
    parameter.mutable_grad() = gradient_.narrow(0, begin, count).view(shape);
    begin += count;
  }
}

std::string FlatAdam::worst_parameter() const {
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const torch::Tensor part = gradient_.narrow(0, begin, ends_[i] - begin);
    if (!torch::isfinite(part).all().item<bool>()) return names_[i];
    begin = ends_[i];
  }
  const std::int64_t at = gradient_.abs().argmax().item<std::int64_t>();
  const auto found = std::upper_bound(ends_.begin(), ends_.end(), at);
  return names_[static_cast<std::size_t>(found - ends_.begin())];
}

void FlatAdam::step(double rate, int step) {
  const torch::NoGradGuard no_grad;
  const double norm = gradient_.norm().item<double>();
  if (!std::isfinite(norm))
    throw NonFinite("the gradient of " + worst_parameter() + " is not finite");
  if (config_.clip > 0 && norm > config_.clip) gradient_.mul_(config_.clip / (norm + 1e-6));
  if (config_.optimiser == Optimiser::kAdamW) weights_.mul_(1 - rate * config_.weight_decay);
  mean_.lerp_(gradient_, 1 - config_.beta1);
  square_.mul_(config_.beta2).addcmul_(gradient_, gradient_, 1 - config_.beta2);
  const double mean_scale = 1 - std::pow(config_.beta1, step);
  const double square_scale = 1 - std::pow(config_.beta2, step);
  const torch::Tensor spread = square_.sqrt().div_(std::sqrt(square_scale)).add_(kEpsilon);
  weights_.addcdiv_(mean_, spread, -rate / mean_scale);
  if (config_.average > 0) {
    // At first the average forgets faster: it must not remember the random start for long.
    average_.lerp_(weights_, std::max(1 - config_.average, 1.0 / (step + 1)));
  }
}

void FlatAdam::restore(const State& state) {
  const torch::NoGradGuard no_grad;
  weights_.copy_(state.weights);
  average_.copy_(state.average);
  mean_.copy_(state.mean);
  square_.copy_(state.square);
}

void FlatAdam::set_weights(const torch::Tensor& weights) {
  const torch::NoGradGuard no_grad;
  weights_.copy_(weights);
}

FlatAdam::Averaged::Averaged(FlatAdam& optimiser) : optimiser_(optimiser) {
  if (optimiser_.config_.average <= 0) return;
  const torch::NoGradGuard no_grad;
  kept_ = optimiser_.weights_.clone();
  optimiser_.weights_.copy_(optimiser_.average_);
}

FlatAdam::Averaged::~Averaged() {
  if (kept_.defined()) optimiser_.set_weights(kept_);
}

}  // namespace nrs
