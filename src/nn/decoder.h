#pragma once
// The decoder of a Solver, or of a Selector that writes: one symbol at a time for many texts,
// remembering keys and values.
#include <optional>
#include <span>
#include <vector>

#include "nn/layers.h"

namespace nrs::nn {

// What the decoder remembers of one batch of texts, and its working memory.
struct DecoderState {
  struct Layer {
    std::vector<MatchMemories> read;  // [B] what each text has been read as
    Buffer written;                   // [B, max_length, 2D] keys and values of what was written
  };
  std::vector<Layer> layers;
  Buffer x, qkv, normed, mixed, hidden, scores, logits;
};

// The last symbol of one text that is still being answered.
struct Written {
  std::int32_t leaf;
  std::int32_t symbol;
};

class Decoder {
 public:
  // `shared` is the encoder's embedding, used if the decoder has none of its own.
  Decoder(const SolverConfig& config, const WeightReader& weights, const Table& shared);

  int dim() const { return config_.encoder.dim; }
  std::size_t layers() const { return layers_.size(); }

  // Starts a batch of `rows` texts. state.layers[..].read is to be filled with their keys and
  // values, which somebody else keeps: one entry per row and layer.
  void begin(std::int64_t rows, DecoderState& state) const;
  // The keys and values [count, 2D] that a layer makes of memory [count, D].
  void remember(std::size_t layer, const float* memory, std::int64_t count, float* rows) const {
    layers_[layer].memory.multiply(memory, count, rows);
  }
  // One more row, which goes on from what row `from` has written in the first `steps` steps.
  std::int32_t branch(std::int32_t from, int steps, DecoderState& state) const;
  // Step 0 follows the start symbol. Returns the logits of what comes next, [written.size(), V],
  // valid until the next call. A leaf takes part in all steps from 0 on until it is left out.
  const float* next(std::span<const Written> written, int step, DecoderState& state) const;

  int vocabulary() const { return head_.out(); }
  int max_length() const { return config_.decoder.max_length; }
  // Bytes that a leaf's longest output takes in a DecoderState.
  std::size_t memory_of_one() const;

 private:
  struct Layer {
    Layer(const SolverConfig& config, const WeightReader& weights);

    LayerMatrix in, out;
    LayerMatrix query, memory, cross_out;
    std::vector<float> match_bias;  // [heads] if it attends to the last match
    FeedForward feed_forward;
    SubLayer first, second, third;
  };
  // The rows of one tile at one step.
  struct Tile {
    std::span<const Written> written;
    int step;
    float* x;  // [written.size(), D]
  };
  void run_layer(std::size_t index, const Tile& tile, DecoderState& state) const;
  void attend_written(const Tile& tile, DecoderState::Layer& kept, DecoderState& state) const;
  void attend_memory(std::size_t index, const Tile& tile, DecoderState& state) const;

  SolverConfig config_;
  Table embedding_;  // [V, D]
  Table positions_;
  std::vector<Layer> layers_;
  std::optional<LayerNorm> norm_;  // pre-norm only
  LayerMatrix head_;
};

}  // namespace nrs::nn
