#pragma once
// The two networks: a Selector marks tokens, a Solver writes values.
#include <torch/nn/module.h>
#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "learn/nets/coders.h"
#include "nn/config.h"
#include "nn/packing.h"

namespace nrs::learn {

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
  std::shared_ptr<Encoder> encoder_;
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

  const nn::SolverConfig& config() const { return config_; }

 private:
  Memory read(const nn::TokenRows& leaves, Dropout& dropout) const;
  torch::Tensor write(const nn::TokenRows& written, const Memory& memory, Dropout& dropout) const;

  nn::SolverConfig config_;
  std::shared_ptr<Encoder> encoder_;
  std::shared_ptr<Decoder> decoder_;
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
