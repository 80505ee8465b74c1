#include "learn/train/optimiser.h"

#include <torch/autograd.h>

#include <algorithm>
#include <cmath>

#include "learn/kernels/kernels.h"

namespace nrs::learn {
namespace {

constexpr double kEpsilon = 1e-8;

struct Buffers {
  torch::Tensor weights, gradient, mean, square;  // [N]
  torch::Tensor average;                          // [N]; undefined if there is none
};

// With torch operations: on every device and in every precision.
void plain_step(Buffers& buffers, const kernels::AdamStep& step) {
  buffers.gradient.mul_(step.gradient_scale);
  buffers.weights.mul_(1 - step.rate * step.decay);
  buffers.mean.lerp_(buffers.gradient, 1 - step.beta1);
  buffers.square.mul_(step.beta2).addcmul_(buffers.gradient, buffers.gradient, 1 - step.beta2);
  const torch::Tensor spread =
      buffers.square.sqrt().div_(std::sqrt(step.square_correction)).add_(step.epsilon);
  buffers.weights.addcdiv_(buffers.mean, spread, -step.rate / step.mean_correction);
  if (buffers.average.defined()) buffers.average.lerp_(buffers.weights, step.average_share);
}

// In one pass over memory.
void fused_step(Buffers& buffers, const kernels::AdamStep& step) {
  const auto data = [](torch::Tensor& x) { return x.defined() ? x.data_ptr<float>() : nullptr; };
  kernels::adam_step({buffers.weights.numel(), data(buffers.weights), data(buffers.gradient),
                      data(buffers.mean), data(buffers.square), data(buffers.average)},
                     step);
}

}  // namespace

FlatAdam::FlatAdam(torch::nn::Module& module, const recipe::TrainConfig& config, int parts)
    : config_(config) {
  const torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> pieces;
  std::int64_t end = 0;
  for (const auto& item : module.named_parameters()) {
    names_.push_back(item.key());
    parameters_.push_back(item.value());
    pieces.push_back(item.value().detach().reshape({-1}));
    ends_.push_back(end += item.value().numel());
  }
  weights_ = torch::cat(pieces);
  for (int part = 0; part < parts; ++part) gradients_.push_back(torch::zeros_like(weights_));
  mean_ = torch::zeros_like(weights_);
  square_ = torch::zeros_like(weights_);
  average_ = weights_.clone();
  std::int64_t begin = 0;
  for (torch::Tensor& parameter : parameters_) {
    const auto count = parameter.numel();
    parameter.set_data(weights_.narrow(0, begin, count).view(parameter.sizes()));
    begin += count;
  }
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
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    torch::Tensor place = gradient.narrow(0, begin, ends_[i] - begin);
    if (found[i].defined()) {
      place.copy_(found[i].reshape({-1}));
    } else {
      place.zero_();
    }
    begin = ends_[i];
  }
}

const torch::Tensor& FlatAdam::whole_gradient() {
  for (std::size_t part = 1; part < gradients_.size(); ++part) gradients_[0].add_(gradients_[part]);
  return gradients_[0];
}

std::string FlatAdam::worst_parameter(const torch::Tensor& gradient) const {
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const torch::Tensor part = gradient.narrow(0, begin, ends_[i] - begin);
    if (!torch::isfinite(part).all().item<bool>()) return names_[i];
    begin = ends_[i];
  }
  const std::int64_t at = gradient.abs().argmax().item<std::int64_t>();
  const auto found = std::upper_bound(ends_.begin(), ends_.end(), at);
  return names_[static_cast<std::size_t>(found - ends_.begin())];
}

void FlatAdam::step(double rate, int step) {
  const torch::NoGradGuard no_grad;
  const torch::Tensor& gradient = whole_gradient();
  const double norm = gradient.norm().item<double>();
  if (!std::isfinite(norm)) {
    throw NonFinite("the gradient of " + worst_parameter(gradient) + " is not finite");
  }
  const bool clipped = config_.clip > 0 && norm > config_.clip;
  const kernels::AdamStep settings{
      .rate = rate,
      .beta1 = config_.beta1,
      .beta2 = config_.beta2,
      .epsilon = kEpsilon,
      .decay = config_.optimiser == recipe::Optimiser::kAdamW ? config_.weight_decay : 0,
      .gradient_scale = clipped ? config_.clip / (norm + 1e-6) : 1,
      .mean_correction = 1 - std::pow(config_.beta1, step),
      .square_correction = 1 - std::pow(config_.beta2, step),
      // At first the average forgets faster: it must not remember the random start for long.
      .average_share = std::max(1 - config_.average, 1.0 / (step + 1))};
  Buffers buffers{weights_, gradient, mean_, square_,
                  config_.average > 0 ? average_ : torch::Tensor()};
  const bool plain = !weights_.is_cpu() || weights_.scalar_type() != torch::kFloat;
  plain ? plain_step(buffers, settings) : fused_step(buffers, settings);
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

}  // namespace nrs::learn
