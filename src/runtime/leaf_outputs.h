#pragma once
// The outputs of a Selector that writes: the likeliest one, or many samples.
#include <cstdint>
#include <span>
#include <vector>

#include "nn/decoder.h"
#include "runtime/leaf_draft.h"

namespace nrs::runtime {

// One text as the decoder sees it.
struct Reading {
  std::size_t text = 0;  // the caller's number of it
  int samples = 0;       // outputs to draw; 0: the one of the likeliest symbols
  std::uint64_t seed = 0;
  const std::vector<GapRows>* rows = nullptr;  // by layer
};

// A whole output.
struct LeafOutput {
  std::size_t text = 0;
  std::vector<std::int32_t> symbols{};  // without the end symbol
  double log_prob = 0;
  int samples = 1;  // that wrote it
};

// The outputs of each reading that come to their end symbol, in no particular order. Samples that
// have written the same so far are one row of the decoder, which draws how many of them go on in
// which way: the cost is that of the distinct prefixes, not of the samples. Law: what is drawn for
// a reading depends on nothing else.
std::vector<LeafOutput> write_outputs(const nn::Decoder& decoder, std::span<const Reading> readings,
                                      nn::DecoderState& state);

}  // namespace nrs::runtime
