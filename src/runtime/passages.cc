#include "runtime/passages.h"

namespace nrs::runtime {
namespace {

void read_batch(std::span<const Passage> passages, const Encoder& encoder, const Decoder& decoder,
                EncoderScratch& scratch) {
  TokenRows rows;
  for (const Passage& passage : passages) {
    rows.add(passage.ids);
    rows.add_places(passage.places);
    rows.seeds.push_back(passage.label_seed);
  }
  const float* memory = encoder.run(rows, scratch);
  for (std::size_t i = 0; i < passages.size(); ++i) {
    const Passage& passage = passages[i];
    const auto first = static_cast<std::int64_t>(passage.keep_begin);
    const auto count = static_cast<std::int64_t>(passage.keep_end) - first;
    const float* from =
        memory + (rows.packing.begin(static_cast<std::int64_t>(i)) + first) * decoder.dim();
    for (std::size_t layer = 0; layer < passage.rows->size(); ++layer) {
      decoder.remember(layer, from, count, (*passage.rows)[layer].insert(count));
    }
  }
}

}  // namespace

void read_passages(std::span<const Passage> passages, const Encoder& encoder,
                   const Decoder& decoder, EncoderScratch& scratch) {
  while (!passages.empty()) {
    std::size_t count = 0, tokens = 0;
    while (count < passages.size() && (count == 0 || tokens < kPassageTokens)) {
      tokens += passages[count++].ids.size();
    }
    read_batch(passages.first(count), encoder, decoder, scratch);
    passages = passages.subspan(count);
  }
}

}  // namespace nrs::runtime
