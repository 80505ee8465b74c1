#pragma once
// The decoder of a Solver: one symbol at a time for many leaves, remembering keys and values.
#include <optional>
#include <span>
#include <vector>

#include "runtime/layers.h"

namespace nrs::runtime {

// What the decoder remembers of one batch of leaves, and its working memory.
struct DecoderState {
  Packing leaves;
  struct Layer {
    Buffer memory;   // [N, 2D] keys and values of the leaves' tokens
    Buffer written;  // [B, max_length, 2D] keys and values of what was written
  };
  std::vector<Layer> layers;
  Buffer x, qkv, normed, mixed, hidden, scores, logits;
};

// The last symbol of one leaf that is still being written.
struct Written {
  std::int32_t leaf;
  std::int32_t symbol;
};

class Decoder {
 public:
  // `shared` is the encoder's embedding, used if the decoder has none of its own.
  Decoder(const SolverConfig& config, const WeightReader& weights, const Table& shared);

  // Starts a batch: memory [N, D] is what the encoder made of the leaves.
  void begin(const float* memory, const Packing& leaves, DecoderState& state) const;
  // Step 0 follows the start symbol. Returns the logits of what comes next, [written.size(), V],
  // valid until the next call. A leaf takes part in all steps from 0 on until it is left out.
  const float* next(std::span<const Written> written, int step, DecoderState& state) const;

  int vocabulary() const { return head_.out(); }
  int max_length() const { return config_.decoder.max_length; }

 private:
  struct Layer {
    Layer(const SolverConfig& config, const WeightReader& weights);

    LayerMatrix in, out;
    LayerMatrix query, memory, cross_out;
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
  void attend_memory(const Tile& tile, const DecoderState::Layer& kept, DecoderState& state) const;

  SolverConfig config_;
  Table embedding_;  // [V, D]
  Table positions_;
  std::vector<Layer> layers_;
  std::optional<LayerNorm> norm_;  // pre-norm only
  LayerMatrix head_;
};

}  // namespace nrs::runtime
