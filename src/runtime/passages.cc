#include "runtime/passages.h"

namespace nrs::runtime {

PassageReader::PassageReader(const nn::Encoder& encoder, const nn::Decoder& decoder, int vocabulary)
    : encoder_(encoder), decoder_(decoder) {
  if (LocalEncoder::local(encoder.config(), vocabulary)) local_.emplace(encoder_);
}

void PassageReader::read(std::span<const Passage> passages, Scratch& scratch) const {
  while (!passages.empty()) {
    std::size_t count = 0, tokens = 0;
    while (count < passages.size() && (count == 0 || tokens < kPassageTokens)) {
      tokens += passages[count++].ids.size();
    }
    read_batch(passages.first(count), scratch);
    passages = passages.subspan(count);
  }
}

void PassageReader::read_batch(std::span<const Passage> passages, Scratch& scratch) const {
  nn::TokenRows rows;
  scratch.wanted.clear();
  for (const Passage& passage : passages) {
    const auto first = static_cast<std::int32_t>(rows.packing.tokens());
    for (std::size_t i = passage.keep_begin; i < passage.keep_end; ++i) {
      scratch.wanted.push_back(first + static_cast<std::int32_t>(i));
    }
    rows.add(passage.ids);
    rows.add_places(passage.places);
    rows.seeds.push_back(passage.label_seed);
  }
  const float* memory = local_ ? local_->run(rows, scratch.wanted, scratch.local)
                               : encoder_.run(rows, scratch.encoder);
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

}  // namespace nrs::runtime
