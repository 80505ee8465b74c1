#pragma once
// The encoder of a Selector or a Solver: tokens to vectors.
//
// Where tokens see only their neighbourhood, it computes the tokens that are asked for, of each
// layer no more than they need, and nothing that it remembers from before: the vectors of the first
// layers depend on few characters, and so come again and again; and when a formula has changed in
// one place, all that is out of reach of the change is still known.
#include <optional>
#include <span>
#include <vector>

#include "nn/context_table.h"
#include "nn/layers.h"

namespace nrs::nn {

// Working memory, and what is remembered: all of one encoder.
struct EncoderScratch {
  // One layer, or the embedding, in the course of a run. Token lists are in order.
  struct Level {
    std::vector<std::int32_t> wanted;    // tokens whose vectors the next level reads
    std::vector<std::int32_t> computed;  // those of them that are not remembered
    std::vector<std::int32_t> known;     // the others
    Buffer vectors;                      // [known.size(), D]
    bool remember = false;               // what is computed
  };
  std::vector<Level> levels;         // [layers + 1]
  std::vector<ContextTable> tables;  // [layers]: what each layer makes of a context
  std::vector<std::uint8_t> ids;     // tokens of all rows, with kNoToken around each row
  std::vector<std::int32_t> at;      // [N] where a token is in `ids`
  std::vector<std::int32_t> index;   // [N] where a token is in the list of the level
  Buffer x, qkv, rows, normed, mixed, hidden, scores;
  std::vector<const float*> slots;  // [S]
  std::vector<std::int32_t> labels;
};

class Encoder {
 public:
  Encoder(const EncoderConfig& config, const WeightReader& weights);

  // Returns [N, D], in which the rows of the wanted tokens are set, to the same bits whatever else
  // is wanted; valid until the next call with the same scratch. A token of id kPadId is one that
  // the model does not know: it is a vector of zeros. No row may be longer than longest().
  const float* run(const TokenRows& tokens, EncoderScratch& scratch) const;

  // Whether a token's vector depends on the tokens within a bounded radius of it, and on nothing
  // else; and whether tokens fit into a byte.
  bool local() const { return !radii_.empty(); }
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

  void plan(const TokenRows& tokens, EncoderScratch& scratch) const;
  void embed(const TokenRows& tokens, EncoderScratch& scratch) const;
  void add_positions(const TokenRows& tokens, std::size_t layer, EncoderScratch& scratch) const;
  void run_layer(std::size_t layer, const Packing& rows, EncoderScratch& scratch) const;
  void project(const Layer& layer, std::span<const std::int32_t> read,
               EncoderScratch& scratch) const;
  void mix(const Layer& layer, const Packing& rows, std::span<const std::int32_t> tokens,
           EncoderScratch& scratch) const;
  void finish(const Layer& layer, float* x, std::int64_t rows, EncoderScratch& scratch) const;

  // Of a local encoder.
  void lay_out(const TokenRows& tokens, EncoderScratch& scratch) const;
  void look_up(std::size_t layer, EncoderScratch& scratch) const;
  void want_neighbours(std::size_t layer, const Packing& rows, EncoderScratch& scratch) const;
  // Where the context of a token at one layer begins.
  const std::uint8_t* context(std::size_t layer, std::int32_t token,
                              const EncoderScratch& scratch) const {
    return scratch.ids.data() + scratch.at[static_cast<std::size_t>(token)] - radii_[layer];
  }

  EncoderConfig config_;
  Table embedding_;  // [V, D]
  Table places_;     // [place_values + 1, D]
  Table positions_;
  std::vector<Layer> layers_;
  std::optional<LayerNorm> norm_;    // pre-norm only
  std::vector<std::int32_t> radii_;  // [layers] if local: how far the result depends on others
};

}  // namespace nrs::nn
