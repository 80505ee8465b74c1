#pragma once
// An encoder and a decoder: a Solver, or a Selector that writes. It reads passages of texts, and
// then writes the likeliest output for each text, or many samples.
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "nn/decoder.h"
#include "nn/encoder.h"

namespace nrs::runtime {

// The keys and values of a text that changes in one place after the other: what is before the place
// and what is behind it lie at the two ends of a buffer, and the room between them moves along.
class GapRows {
 public:
  // A row is a key and a value, `width` numbers together.
  explicit GapRows(std::int64_t width) : width_(width) {}

  std::int64_t size() const { return before_ + behind_; }
  // Takes out the rows [begin, end), where the gap then is. Costs as much as the gap moves.
  void cut(std::int64_t begin, std::int64_t end);
  // `count` new rows before the gap, to be filled: [count, width].
  float* insert(std::int64_t count);
  // Valid until the next change.
  nn::MatchMemories read() const {
    return {part(row(0), before_), part(row(room_ - behind_), behind_)};
  }

 private:
  nn::Memories part(const float* rows, std::int64_t count) const {
    return count == 0 ? nn::Memories{} : nn::Memories{rows, rows + width_ / 2, width_, count};
  }
  float* row(std::int64_t index) const { return rows_.data() + index * width_; }

  std::int64_t width_;
  std::int64_t room_ = 0;  // rows that fit into the buffer
  std::int64_t before_ = 0;
  std::int64_t behind_ = 0;  // the last rows of the buffer
  nn::Buffer rows_;          // [room, width]
};

// The keys and values of a text that the decoder attends to, for each of its layers.
using TextRows = std::vector<GapRows>;

// Tokens that are read, of which those in [keep_begin, keep_end) get rows.
struct Passage {
  std::vector<std::int32_t> ids{};
  std::vector<std::int32_t> places{};  // empty if the encoder has no places
  std::size_t keep_begin = 0;
  std::size_t keep_end = 0;
  std::uint64_t label_seed = 0;
  TextRows* rows = nullptr;  // where they are put
};

// One text as the decoder sees it.
struct Reading {
  std::size_t text = 0;  // the caller's number of it
  int samples = 0;       // outputs to draw; 0: the one of the likeliest symbols
  std::uint64_t seed = 0;
  bool omega = false;  // whether omega may be written; else what goes on with it comes to nothing
  const TextRows* rows = nullptr;
};

// A whole output.
struct Output {
  std::size_t text = 0;
  std::vector<std::int32_t> symbols{};  // without the end symbol
  double log_prob = 0;
  int samples = 1;  // that wrote it
};

// Const and thread-safe; working memory is the caller's.
class Seq2Seq {
 public:
  // Tokens that are read together: they fill the matrix products and fit the cache.
  static constexpr std::size_t kBatchTokens = 768;

  // Working memory, and what is remembered: all of one network.
  struct Scratch {
    nn::EncoderScratch encoder;
    nn::DecoderState decoder;
  };

  Seq2Seq(const nn::SolverConfig& config, const nn::WeightReader& weights)
      : encoder_(config.encoder, weights.part("encoder")),
        decoder_(config, weights, encoder_.embedding()) {}

  // Texts to answer together, at most `most`, so that what they write takes no more than that.
  std::size_t texts_at_once(std::size_t most, std::size_t bytes, int samples) const {
    const auto rows = static_cast<std::size_t>(std::max(1, samples));
    return std::clamp(bytes / decoder_.memory_of_one() / rows, std::size_t{1}, most);
  }
  TextRows no_rows() const {
    TextRows rows;
    for (std::size_t i = 0; i < decoder_.layers(); ++i) rows.emplace_back(2 * decoder_.dim());
    return rows;
  }
  // In batches. What the decoder makes of the passages is put where it belongs.
  void read(std::span<const Passage> passages, Scratch& scratch) const;
  // The outputs of each reading that come to their end symbol, in no particular order. Samples that
  // have written the same so far are one row of the decoder, which draws how many of them go on in
  // which way: the cost is that of the distinct prefixes, not of the samples. Law: what is drawn
  // for a reading depends on nothing else.
  std::vector<Output> write(std::span<const Reading> readings, Scratch& scratch) const;

  const nn::Encoder& encoder() const { return encoder_; }
  const nn::Decoder& decoder() const { return decoder_; }

 private:
  void read_batch(std::span<const Passage> passages, Scratch& scratch) const;

  nn::Encoder encoder_;
  nn::Decoder decoder_;
};

}  // namespace nrs::runtime
