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
inline WeightMap random_weights(const std::vector<ExpectedTensor>& tensors, std::uint64_t seed) {
  WeightMap weights;
  Rng rng(seed);
  for (const ExpectedTensor& tensor : tensors) {
    Weights& to = weights[tensor.name];
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

inline Tokenizer tokenizer_of(const std::string& alphabet, Specials specials,
                              std::vector<std::string> rules = {}) {
  VocabularyBuilder builder{TokenRules(std::move(rules))};
  builder.add(alphabet);
  return builder.build(specials);
}

inline SelectorModel random_selector(const SelectorConfig& config, const std::string& alphabet,
                                     std::uint64_t seed) {
  SelectorModel model{config, tokenizer_of(alphabet, Specials::kInput, config.token_rules), {}};
  model.weights = random_weights(selector_tensors(config, model.tokens.size()), seed);
  return model;
}

// A Selector that writes. Its outputs end: the end symbol is as likely as all others together.
inline SelectorModel random_writer(const SelectorConfig& config, const std::string& alphabet,
                                   std::uint64_t seed) {
  SelectorModel model;
  model.config = config;
  model.config.kind = SelectorKind::kLastLeaf;
  model.output = tokenizer_of(alphabet, Specials::kOutput, config.token_rules);
  model.tokens = config.writer.shared_vocabulary
                     ? model.output
                     : tokenizer_of(alphabet, Specials::kInput, config.token_rules);
  model.weights = random_weights(
      selector_tensors(model.config, model.tokens.size(), model.output.size()), seed);
  model.weights["selector.head.bias"].values[kEndId] += 1.5F;
  return model;
}

inline SolverModel random_solver(const SolverConfig& config, const std::string& alphabet,
                                 std::uint64_t seed) {
  SolverModel model{config, tokenizer_of(alphabet, Specials::kOutput), {}, -1, {}};
  if (!config.shared_vocabulary) model.input = tokenizer_of(alphabet, Specials::kInput);
  model.output = tokenizer_of(alphabet, Specials::kOutput);
  model.weights =
      random_weights(solver_tensors(config, model.input.size(), model.output.size()), seed);
  // Values end: the end symbol is as likely as all others together.
  model.weights["solver.head.bias"].values[kEndId] += 1.5F;
  return model;
}

// Changes a module of a model in place.
inline void change_selector(Model& model, const std::function<void(SelectorModel&)>& change) {
  SelectorModel selector = selector_of(model);
  change(selector);
  model.modules["selector"] = to_module(std::move(selector));
}
inline void change_solver(Model& model, const std::function<void(SolverModel&)>& change) {
  SolverModel solver = solver_of(model);
  change(solver);
  model.modules["solver"] = to_module(std::move(solver));
}

inline std::string random_text(std::size_t length, const std::string& alphabet, Rng& rng) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += alphabet[rng.below(alphabet.size())];
  return text;
}

}  // namespace nrs
