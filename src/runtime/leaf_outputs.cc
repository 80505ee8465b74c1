#include "runtime/leaf_outputs.h"

#include <algorithm>
#include <utility>

#include "model/tokenizer.h"
#include "runtime/sampling.h"

namespace nrs::runtime {
namespace {

class OutputWriter {
 public:
  OutputWriter(const nn::Decoder& decoder, std::span<const Reading> readings,
               nn::DecoderState& state)
      : decoder_(decoder), readings_(readings), state_(state) {
    decoder_.begin(static_cast<std::int64_t>(readings.size()), state_);
    for (std::size_t i = 0; i < readings.size(); ++i) {
      for (std::size_t layer = 0; layer < decoder_.layers(); ++layer) {
        state_.layers[layer].read[i] = (*readings[i].rows)[layer].read();
      }
      draws_.emplace_back(readings[i].seed, /*stream=*/1);
      live_.push_back(
          {.reading = i,
           .row = static_cast<std::int32_t>(i),
           .output = {.text = readings[i].text, .samples = std::max(1, readings[i].samples)}});
    }
  }

  std::vector<LeafOutput> run() && {
    for (int step = 0; step < decoder_.max_length() && !live_.empty(); ++step) {
      written_.clear();
      for (const Prefix& prefix : live_) {
        const auto& symbols = prefix.output.symbols;
        written_.push_back({prefix.row, symbols.empty() ? model::kStartId : symbols.back()});
      }
      const float* logits = decoder_.next(written_, step, state_);
      next_.clear();
      for (const Prefix& prefix : live_) {
        go_on(prefix, logits, step);
        logits += decoder_.vocabulary();
      }
      std::swap(live_, next_);
    }
    return std::move(outputs_);
  }

 private:
  // What some samples of a reading have written so far.
  struct Prefix {
    std::size_t reading;
    std::int32_t row;
    LeafOutput output;
  };

  void go_on(const Prefix& prefix, const float* logits, int step) {
    const int vocabulary = decoder_.vocabulary();
    if (readings_[prefix.reading].samples > 0) {
      Rng& rng = draws_[prefix.reading];
      draw_branches(logits, vocabulary, prefix.output.samples, rng, branches_);
    } else {
      branches_.assign(1, likeliest(logits, vocabulary));
    }
    bool taken = false;  // the row of the prefix, by one of its branches
    for (const Branch& branch : branches_) {
      const bool end = branch.symbol == model::kEndId;
      if (!end && branch.symbol <= model::kOmegaId) continue;  // it has no text
      Prefix one = prefix;
      one.output.log_prob += branch.log_prob;
      one.output.samples = branch.samples;
      if (end) {
        outputs_.push_back(std::move(one.output));
        continue;
      }
      if (taken) one.row = decoder_.branch(prefix.row, step + 1, state_);
      taken = true;
      one.output.symbols.push_back(branch.symbol);
      next_.push_back(std::move(one));
    }
  }

  const nn::Decoder& decoder_;
  std::span<const Reading> readings_;
  nn::DecoderState& state_;
  std::vector<Rng> draws_;  // by reading
  std::vector<Prefix> live_, next_;
  std::vector<nn::Written> written_;
  std::vector<Branch> branches_;
  std::vector<LeafOutput> outputs_;
};

}  // namespace

std::vector<LeafOutput> write_outputs(const nn::Decoder& decoder, std::span<const Reading> readings,
                                      nn::DecoderState& state) {
  return OutputWriter(decoder, readings, state).run();
}

}  // namespace nrs::runtime
