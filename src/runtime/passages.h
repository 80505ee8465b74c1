#pragma once
// Stretches of formulas that a Selector reads before it writes.
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/encoder.h"
#include "runtime/gap_rows.h"

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

// Reads all passages, in batches, and puts the keys and values that the decoder makes of them where
// they belong.
void read_passages(std::span<const Passage> passages, const Encoder& encoder,
                   const Decoder& decoder, EncoderScratch& scratch);

}  // namespace nrs::runtime
