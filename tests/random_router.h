#pragma once
// A Neural Data Router with random weights.
#include <string>

#include "random_model.h"

namespace nrs {

inline const std::string kRouterAlphabet = "()+-*0123456789ab";

inline RouterModel random_router(const RouterConfig& config, std::uint64_t seed) {
  RouterModel model{config,
                    tokenizer_of(kRouterAlphabet, Specials::kInput, config.token_rules),
                    tokenizer_of(kRouterAlphabet, Specials::kOutput, config.token_rules),
                    {}};
  model.weights =
      random_weights(router_tensors(config, model.input.size(), model.output.size()), seed);
  return model;
}

}  // namespace nrs
