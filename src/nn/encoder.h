#pragma once
// The encoder of a Selector or a Solver: tokens to vectors.
#include <optional>
#include <span>
#include <vector>

#include "nn/layers.h"

namespace nrs::nn {

struct EncoderScratch {
  Buffer x, qkv, rows, normed, mixed, hidden, scores;
  std::vector<const float*> slots;  // [S]
  std::vector<std::int32_t> labels;

  WindowMemories window() const { return {slots.data(), static_cast<int>(slots.size())}; }
};

struct EncoderLayer {
  EncoderLayer(const EncoderConfig& config, int dilation, const WeightReader& weights);

  // qkv [rows, 3D] = queries, keys and values of x [rows, D]; at most kTileRows of them.
  void project(const float* x, std::int64_t rows, float* normed, float* qkv) const;
  // x [rows, D] becomes the result of the layer, once what attention found is in scratch.mixed.
  void finish(float* x, std::int64_t rows, EncoderScratch& scratch) const;
  WindowSlots slots() const;

  LayerMatrix in, out;
  std::vector<float> slot_bias, slot_value;
  int dilation;  // 0: no window
  FeedForward feed_forward;
  SubLayer first, second;
};

class Encoder {
 public:
  Encoder(const EncoderConfig& config, const WeightReader& weights);

  // Returns [N, D], valid until the next call with the same scratch. A token of id kPadId is one
  // that the model does not know: it is a vector of zeros. No row may be longer than longest().
  const float* run(const TokenRows& tokens, EncoderScratch& scratch) const;

  // Tokens of the longest row; nothing if there is no limit.
  std::optional<std::int64_t> longest() const;
  // The embedding of the tokens: a decoder may share it.
  const Table& embedding() const { return embedding_; }

  // The parts of run(), for who computes some of the tokens only.
  const EncoderConfig& config() const { return config_; }
  const std::vector<EncoderLayer>& layers() const { return layers_; }
  void reserve(const Packing& rows, EncoderScratch& scratch) const;
  // x [D] = what goes into the first layer for one token, but for its position.
  void embed(const TokenRows& tokens, std::int64_t token, float* x) const;
  // Turns what the last layer made of some tokens of x [N, D] into the result.
  void finish(std::span<const std::int32_t> tokens, float* x) const;

 private:
  void add_positions(const TokenRows& tokens, int layer, std::vector<std::int32_t>& labels,
                     float* x) const;
  void run_layer(const EncoderLayer& layer, const Packing& rows, EncoderScratch& scratch) const;
  // The tokens [begin, end), which may be parts of several rows; mixed [end - begin, D].
  void mix(const EncoderLayer& layer, const Packing& rows, std::int64_t begin, std::int64_t end,
           EncoderScratch& scratch) const;

  EncoderConfig config_;
  Table embedding_;  // [V, D]
  Table places_;     // [place_values + 1, D]
  Table positions_;
  std::vector<EncoderLayer> layers_;
  std::optional<LayerNorm> norm_;  // pre-norm only
};

}  // namespace nrs::nn
