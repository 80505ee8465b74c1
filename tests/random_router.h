#pragma once
// A Neural Data Router with random weights.
#include <string>

#include "random_model.h"

namespace nrs {

inline const std::string kRouterAlphabet = "()+-*0123456789ab";

inline model::RouterModel random_router(const nn::RouterConfig& config, std::uint64_t seed) {
  model::RouterModel model{
      config,
      tokenizer_of(kRouterAlphabet, model::Specials::kInput, config.token_rules),
      tokenizer_of(kRouterAlphabet, model::Specials::kOutput, config.token_rules),
      {}};
  model.weights =
      random_weights(nn::router_tensors(config, model.input.size(), model.output.size()), seed);
  return model;
}

}  // namespace nrs
