#pragma once
// An encoder whose tokens see only their neighbourhood. It computes the tokens that are asked for,
// of each layer no more than they need, and nothing that it remembers from before.
//
// The vectors of the first layers depend on few characters, and so come again and again. And when a
// formula has changed in one place, all that is out of reach of the change is still known.
#include <cstdint>
#include <span>
#include <vector>

#include "nn/encoder.h"
#include "runtime/context_table.h"

namespace nrs::runtime {

// Working memory, and what is remembered: all of one encoder.
struct LocalScratch {
  // One layer, or the embedding, in the course of a run. Token lists are in order.
  struct Level {
    std::vector<std::int32_t> wanted;    // tokens whose vectors the next level reads
    std::vector<std::int32_t> computed;  // those of them that are not remembered
    std::vector<std::int32_t> known;     // the others
    nn::Buffer vectors;                  // [known.size(), D]
  };
  std::vector<Level> levels;         // [layers + 1]
  std::vector<ContextTable> tables;  // [layers]: what each layer makes of a context
  std::vector<std::uint8_t> ids;     // tokens of all rows, with kOutside around each row
  std::vector<std::int32_t> at;      // [N] where a token is in `ids`
  std::vector<std::int32_t> index;   // [N] where a token is in the list of the level
  nn::EncoderScratch encoder;
};

class LocalEncoder {
 public:
  // `encoder` must outlive this and be local().
  explicit LocalEncoder(const nn::Encoder& encoder);
  // Whether a token's vector depends on the tokens within a bounded radius of it, and on nothing
  // else; and whether tokens fit into a byte.
  static bool local(const nn::EncoderConfig& config, int vocabulary);

  // Returns [N, D], in which the rows of the wanted tokens are set, to the bits that
  // Encoder::run() gives; valid until the next call with the same scratch.
  const float* run(const nn::TokenRows& tokens, std::span<const std::int32_t> wanted,
                   LocalScratch& scratch) const;

 private:
  void lay_out(const nn::TokenRows& tokens, LocalScratch& scratch) const;
  void plan(std::span<const std::int32_t> wanted, LocalScratch& scratch) const;
  bool remembers(std::size_t layer, const LocalScratch& scratch) const;
  void look_up(std::size_t layer, LocalScratch& scratch) const;
  void want_neighbours(std::size_t layer, LocalScratch& scratch) const;
  void run_layer(std::size_t layer, LocalScratch& scratch) const;
  void mix(std::size_t layer, std::span<const std::int32_t> tokens, LocalScratch& scratch) const;
  // Where the context of a token at one layer begins.
  const std::uint8_t* context(std::size_t layer, std::int32_t token,
                              const LocalScratch& scratch) const {
    return scratch.ids.data() + scratch.at[static_cast<std::size_t>(token)] - radii_[layer];
  }

  const nn::Encoder& encoder_;
  std::vector<std::int32_t> radii_;  // [layers]: how far the result of a layer depends on others
};

}  // namespace nrs::runtime
