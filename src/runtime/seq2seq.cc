#include "runtime/seq2seq.h"

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

  std::vector<Output> run() && {
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
    Output output;
  };

  void go_on(const Prefix& prefix, const float* logits, int step) {
    const int vocabulary = decoder_.vocabulary();
    const Reading& reading = readings_[prefix.reading];
    const int least = reading.omega ? model::kOmegaId : model::kOmegaId + 1;  // others are no text
    if (reading.samples > 0) {
      Rng& rng = draws_[prefix.reading];
      draw_branches(logits, vocabulary, prefix.output.samples, rng, branches_);
    } else {
      branches_.assign(1, likeliest(logits, vocabulary));
    }
    bool taken = false;  // the row of the prefix, by one of its branches
    for (const Branch& branch : branches_) {
      const bool end = branch.symbol == model::kEndId;
      if (!end && branch.symbol < least) continue;
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
  std::vector<Output> outputs_;
};

}  // namespace

void GapRows::cut(std::int64_t begin, std::int64_t end) {
  if (end < before_) {  // what is between the cut and the gap goes behind the gap
    const std::int64_t moved = before_ - end;
    std::copy_backward(row(end), row(before_), row(room_ - behind_));
    behind_ += moved;
  } else if (begin > before_) {
    const std::int64_t moved = begin - before_, first = room_ - behind_;
    std::copy(row(first), row(first + moved), row(before_));
    behind_ -= end - before_;
  } else {
    behind_ -= end - before_;
  }
  before_ = begin;
}

float* GapRows::insert(std::int64_t count) {
  if (size() + count > room_) {
    const std::int64_t room = size() + count + size() / 2;
    nn::Buffer larger;
    larger.get(room * width_);
    std::copy_n(rows_.data(), before_ * width_, larger.data());
    std::copy_n(row(room_ - behind_), behind_ * width_, larger.data() + (room - behind_) * width_);
    std::swap(rows_, larger);
    room_ = room;
  }
  before_ += count;
  return row(before_ - count);
}

void Seq2Seq::read(std::span<const Passage> passages, Scratch& scratch) const {
  while (!passages.empty()) {
    std::size_t count = 0, tokens = 0;
    while (count < passages.size() && (count == 0 || tokens < kBatchTokens)) {
      tokens += passages[count++].ids.size();
    }
    read_batch(passages.first(count), scratch);
    passages = passages.subspan(count);
  }
}

void Seq2Seq::read_batch(std::span<const Passage> passages, Scratch& scratch) const {
  nn::TokenRows rows;
  for (const Passage& passage : passages) {
    rows.add(passage.ids, passage.keep_begin, passage.keep_end);
    rows.add_places(passage.places);
    rows.seeds.push_back(passage.label_seed);
  }
  const float* memory = encoder_.run(rows, scratch.encoder);
  for (std::size_t i = 0; i < passages.size(); ++i) {
    const Passage& passage = passages[i];
    const auto first = static_cast<std::int64_t>(passage.keep_begin);
    const auto count = static_cast<std::int64_t>(passage.keep_end) - first;
    const float* from =
        memory + (rows.packing.begin(static_cast<std::int64_t>(i)) + first) * decoder_.dim();
    for (std::size_t layer = 0; layer < passage.rows->size(); ++layer) {
      decoder_.remember(layer, from, count, (*passage.rows)[layer].insert(count));
    }
  }
}

std::vector<Output> Seq2Seq::write(std::span<const Reading> readings, Scratch& scratch) const {
  return OutputWriter(decoder_, readings, scratch.decoder).run();
}

}  // namespace nrs::runtime
