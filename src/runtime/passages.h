#pragma once
// Stretches of formulas that a Selector reads before it writes.
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "nn/encoder.h"
#include "runtime/leaf_draft.h"
#include "runtime/local_encoder.h"

namespace nrs::runtime {

// Tokens that are read, of which those in [keep_begin, keep_end) get rows.
struct Passage {
  std::vector<std::int32_t> ids{};
  std::vector<std::int32_t> places{};  // empty if the encoder has no places
  std::size_t keep_begin = 0;
  std::size_t keep_end = 0;
  std::uint64_t label_seed = 0;
  std::vector<GapRows>* rows = nullptr;  // where they are put, by layer of the decoder
};

// Tokens that go through the encoder together: they fill the matrix products and fit the cache.
inline constexpr std::size_t kPassageTokens = 768;

// Reads passages for a decoder. Const and thread-safe; working memory is the caller's.
class PassageReader {
 public:
  // Working memory, and what is remembered: all of one reader.
  struct Scratch {
    LocalScratch local;
    nn::EncoderScratch encoder;
    std::vector<std::int32_t> wanted;
  };

  // Both must outlive this; `vocabulary` is that of the encoder.
  PassageReader(const nn::Encoder& encoder, const nn::Decoder& decoder, int vocabulary);

  // In batches. The keys and values that the decoder makes of the passages are put where they
  // belong.
  void read(std::span<const Passage> passages, Scratch& scratch) const;

 private:
  void read_batch(std::span<const Passage> passages, Scratch& scratch) const;

  const nn::Encoder& encoder_;
  const nn::Decoder& decoder_;
  std::optional<LocalEncoder> local_;  // where that is possible
};

}  // namespace nrs::runtime
