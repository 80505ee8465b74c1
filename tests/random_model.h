#pragma once
// Models with random weights: what the runtime computes must be right for any.
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "model/networks.h"
#include "nn/tensor_names.h"

namespace nrs {

// Spread like the weights of a trained model: matrices keep the size of what they multiply, norms
// are about 1.
inline nn::WeightMap random_weights(const std::vector<nn::ExpectedTensor>& tensors,
                                    std::uint64_t seed) {
  nn::WeightMap weights;
  Rng rng(seed);
  for (const nn::ExpectedTensor& tensor : tensors) {
    nn::Weights& to = weights[tensor.name];
    to.shape = tensor.shape;
    std::uint64_t count = 1;
    for (const std::uint64_t length : tensor.shape) count *= length;
    const bool matrix = tensor.shape.size() == 2;
    const double spread = matrix ? 1.7 / std::sqrt(static_cast<double>(tensor.shape[1])) : 0.3;
    const bool gain =
        tensor.name.find("norm") != std::string::npos && tensor.name.ends_with("weight");
    for (std::uint64_t i = 0; i < count; ++i) {
      to.values.push_back(static_cast<float>((gain ? 1 : 0) + spread * (2 * rng.uniform() - 1)));
    }
  }
  return weights;
}

inline model::Tokenizer tokenizer_of(const std::string& alphabet, model::Specials specials,
                                     std::vector<std::string> rules = {}) {
  model::VocabularyBuilder builder{model::TokenRules(std::move(rules))};
  builder.add(alphabet);
  return builder.build(specials);
}

inline model::SelectorModel random_selector(const nn::SelectorConfig& config,
                                            const std::string& alphabet, std::uint64_t seed) {
  model::SelectorModel model{
      config, tokenizer_of(alphabet, model::Specials::kInput, config.token_rules), {}};
  model.weights = random_weights(nn::selector_tensors(config, model.tokens.size()), seed);
  return model;
}

// A Selector that writes. Its outputs end: the end symbol is as likely as all others together.
inline model::SelectorModel random_writer(const nn::SelectorConfig& config,
                                          const std::string& alphabet, std::uint64_t seed) {
  model::SelectorModel model;
  model.config = config;
  model.config.kind = nn::SelectorKind::kLastLeaf;
  model.output = tokenizer_of(alphabet, model::Specials::kOutput, config.token_rules);
  model.tokens = config.writer.shared_vocabulary
                     ? model.output
                     : tokenizer_of(alphabet, model::Specials::kInput, config.token_rules);
  model.weights = random_weights(
      nn::selector_tensors(model.config, model.tokens.size(), model.output.size()), seed);
  model.weights["selector.head.bias"].values[model::kEndId] += 1.5F;
  return model;
}

inline model::SolverModel random_solver(const nn::SolverConfig& config, const std::string& alphabet,
                                        std::uint64_t seed) {
  model::SolverModel model{config, tokenizer_of(alphabet, model::Specials::kOutput), {}, -1, {}};
  if (!config.shared_vocabulary) model.input = tokenizer_of(alphabet, model::Specials::kInput);
  model.output = tokenizer_of(alphabet, model::Specials::kOutput);
  model.weights =
      random_weights(nn::solver_tensors(config, model.input.size(), model.output.size()), seed);
  // Values end: the end symbol is as likely as all others together.
  model.weights["solver.head.bias"].values[model::kEndId] += 1.5F;
  return model;
}

// Changes a module of a model in place.
inline void change_selector(model::Model& model,
                            const std::function<void(model::SelectorModel&)>& change) {
  model::SelectorModel selector = model::selector_of(model);
  change(selector);
  model.modules["selector"] = model::to_module(std::move(selector));
}
inline void change_solver(model::Model& model,
                          const std::function<void(model::SolverModel&)>& change) {
  model::SolverModel solver = model::solver_of(model);
  change(solver);
  model.modules["solver"] = model::to_module(std::move(solver));
}

inline std::string random_text(std::size_t length, const std::string& alphabet, Rng& rng) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += alphabet[rng.below(alphabet.size())];
  return text;
}

}  // namespace nrs
