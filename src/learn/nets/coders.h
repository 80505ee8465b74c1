#pragma once
// Encoder and decoder: embedding, positions, layers.
#include <memory>
#include <vector>

#include "learn/nets/layers.h"

namespace nrs::learn {

// Tokens to vectors.
class Encoder : public torch::nn::Module {
 public:
  Encoder(const nn::EncoderConfig& config, int vocabulary, Rng& rng);

  torch::Tensor forward(const nn::TokenRows& tokens, const Rows& rows,
                        Dropout& dropout) const;  // [N, D]
  // The embedding of the tokens, [V, D]: a decoder may share it.
  const torch::Tensor& table() const { return embedding_; }

 private:
  Stream read(const nn::TokenRows& tokens) const;

  nn::EncoderConfig config_;
  torch::Tensor embedding_;  // [V, D]
  torch::Tensor places_;     // [place_values + 1, D]: row 0 for what is no digit
  std::shared_ptr<PositionTable> positions_;
  std::vector<std::shared_ptr<EncoderLayer>> layers_;
  std::shared_ptr<LayerNorm> norm_;  // pre-norm only
};

// What was written so far, and the memory of what was read, to vectors.
class Decoder : public torch::nn::Module {
 public:
  // vocabulary 0: the embedding is somebody else's.
  Decoder(const nn::SolverConfig& config, int vocabulary, Rng& rng);

  struct Inputs {
    const nn::TokenRows& written;
    torch::Tensor table;  // [V, D]: used if the decoder has no embedding of its own
    Memory memory;
  };
  torch::Tensor forward(const Inputs& inputs, Dropout& dropout) const;  // [M, D]

 private:
  nn::DecoderConfig config_;
  torch::Tensor embedding_;  // [V, D] or undefined
  std::shared_ptr<PositionTable> positions_;
  std::vector<std::shared_ptr<DecoderLayer>> layers_;
  std::shared_ptr<LayerNorm> norm_;  // pre-norm only
};

}  // namespace nrs::learn
