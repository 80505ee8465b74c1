#pragma once
// What the network of a Selector says of a text in one piece, without what it remembers.
#include <string_view>
#include <vector>

#include "model/networks.h"
#include "runtime/selector.h"

namespace nrs {

// The logits of the marks, [N, kMarkClasses].
inline std::vector<float> mark_logits(const runtime::ModelSelector& selector,
                                      const model::SelectorModel& model, std::string_view text) {
  model::Tokens tokens;
  model.tokens.read(text, model.config.encoder.place_values > 0, tokens);
  nn::TokenRows rows;
  rows.add(tokens.ids);
  rows.places = tokens.places;
  rows.seeds.push_back(runtime::ModelSelector::label_seed(text));
  std::vector<float> logits(tokens.ids.size() * nn::kMarkClasses);
  nn::EncoderScratch scratch;
  selector.head().multiply(selector.encoder().run(rows, scratch), rows.packing.tokens(),
                           logits.data());
  return logits;
}

}  // namespace nrs
