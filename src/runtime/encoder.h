#pragma once
// The encoder of a Selector or a Solver: tokens to vectors.
#include <optional>
#include <vector>

#include "runtime/layers.h"

namespace nrs::runtime {

struct EncoderScratch {
  Buffer x, qkv, normed, mixed, hidden, scores;
  std::vector<std::int32_t> labels;
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

 private:
  struct Layer {
    Layer(const EncoderConfig& config, int dilation, const WeightReader& weights);

    LayerMatrix in, out;
    std::vector<float> slot_bias, slot_value;
    int dilation;  // 0: no window
    FeedForward feed_forward;
    SubLayer first, second;
  };

  void embed(const TokenRows& tokens, float* x) const;
  void add_positions(const TokenRows& tokens, int layer, std::vector<std::int32_t>& labels,
                     float* x) const;
  void run_layer(const Layer& layer, const Packing& rows, EncoderScratch& scratch) const;
  // The tokens [begin, end), which may be parts of several rows; mixed [end - begin, D].
  void mix(const Layer& layer, const Packing& rows, std::int64_t begin, std::int64_t end,
           const EncoderScratch& scratch) const;

  EncoderConfig config_;
  Table embedding_;  // [V, D]
  Table places_;     // [place_values + 1, D]
  Table positions_;
  std::vector<Layer> layers_;
  std::optional<LayerNorm> norm_;  // pre-norm only
};

}  // namespace nrs::runtime
