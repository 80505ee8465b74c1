#pragma once
// The networks of a rewriting model: a Selector marks tokens, a Solver writes values.
#include <torch/nn/module.h>
#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "learn/nets/layers.h"
#include "nn/config.h"
#include "nn/packing.h"

namespace nrs::learn {

class PositionTable;

// Tokens to vectors: embedding, positions, layers.
class Coder : public torch::nn::Module {
 public:
  // An encoder.
  Coder(const nn::EncoderConfig& config, int vocabulary, Rng& rng);
  // A decoder. Its embedding is that of the encoder if the vocabulary is shared.
  Coder(const nn::SolverConfig& config, int vocabulary, const Coder& encoder, Rng& rng);

  // `memory`: what a decoder attends to.
  Memory forward(const nn::TokenRows& tokens, Dropout& dropout, const Memory& memory = {}) const;

 private:
  void add_layer(std::shared_ptr<Layer> layer);
  // Adds the norm behind the layers, if there is one.
  void end_layers(const nn::EncoderConfig& config);
  Stream embedded(const nn::TokenRows& tokens) const;

  int place_values_ = 0;
  bool positions_every_layer_;
  torch::Tensor embedding_;  // [V, D]
  torch::Tensor places_;     // [place_values + 1, D]: row 0 for what is no digit; may be undefined
  std::shared_ptr<PositionTable> positions_;
  std::vector<std::shared_ptr<Layer>> layers_;
  std::shared_ptr<LayerNorm> norm_;  // pre-norm only
};

// An encoder with a linear head.
class SelectorNet : public torch::nn::Module {
 public:
  // `vocabulary` is the size of the tokenizer. The seed fixes the first weights.
  SelectorNet(const nn::SelectorConfig& config, int vocabulary, std::uint64_t seed);

  // Returns the logits of the marks, [N, kMarkClasses].
  torch::Tensor forward(const nn::TokenRows& formulas, Pass pass = {}) const;

  const nn::SelectorConfig& config() const { return config_; }

 private:
  nn::SelectorConfig config_;
  std::shared_ptr<Coder> encoder_;
  std::shared_ptr<Dense> head_;
};

struct SolverVocabulary {
  int input = 0;
  int output = 0;  // the same as input if the vocabulary is shared
};

// An encoder-decoder. The paper's NRS Selectors have the same shape.
class SolverNet : public torch::nn::Module {
 public:
  SolverNet(const nn::SolverConfig& config, SolverVocabulary vocabulary, std::uint64_t seed);

  // Row r of `written` is the start symbol and what has been written for leaf r so far. Returns the
  // logits of what comes next, [M, V]: M the tokens of `written`, V the output vocabulary.
  torch::Tensor forward(const nn::TokenRows& leaves, const nn::TokenRows& written,
                        Pass pass = {}) const;

  // The likeliest symbol at each of `steps` steps for every row, whether or not an end symbol is
  // among them. Without gradient.
  std::vector<std::vector<std::int32_t>> write_greedily(const nn::TokenRows& leaves,
                                                        int steps) const;

 private:
  torch::Tensor write(const nn::TokenRows& written, const Memory& memory, Dropout& dropout) const;

  double dropout_;
  std::shared_ptr<Coder> encoder_, decoder_;
  std::shared_ptr<Dense> head_;
};

struct RowLoss {
  torch::Tensor mean;       // scalar: cross-entropy, mean over all tokens; the one to differentiate
  std::vector<float> rows;  // [B] summed over the tokens of each row
  std::vector<char> exact;  // [B] 1 if the likeliest class is right at every token of the row
};

// logits [N, V]; targets [N], the class of each token.
RowLoss row_loss(const torch::Tensor& logits, const std::vector<std::int32_t>& targets,
                 const nn::Packing& packing);

}  // namespace nrs::learn
