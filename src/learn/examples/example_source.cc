#include "learn/examples/example_source.h"

#include <numeric>

namespace nrs::learn {

void PairList::add(std::string_view text, std::string_view value, int group) {
  rows_.push_back({.begin = characters_.size(),
                   .text = static_cast<std::uint32_t>(text.size()),
                   .value = static_cast<std::uint32_t>(value.size()),
                   .group = group});
  characters_ += text;
  characters_ += value;
}

void PairList::append(const PairList& other) {
  for (std::size_t i = 0; i < other.size(); ++i) add(other.text(i), other.value(i), other.group(i));
}

PairList PairList::shuffled(Rng& rng) const {
  std::vector<std::size_t> order(size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  rng.shuffle(order);
  PairList shuffled;
  for (const std::size_t i : order) shuffled.add(text(i), value(i), group(i));
  return shuffled;
}

void add_tokens(const SolverPairs& pairs, model::VocabularyBuilder& texts,
                model::VocabularyBuilder& values) {
  for (const PairList* list : {&pairs.train, &pairs.valid, &pairs.unseen}) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      texts.add(list->text(i));
      if (!list->omega(i)) values.add(list->value(i));
    }
  }
}

model::VocabularyBuilder formula_tokens(const nn::SelectorConfig& config,
                                        const ExampleSource& source, std::uint64_t seed) {
  model::VocabularyBuilder builder{model::TokenRules(config.token_rules)};
  if (config.token_rules.empty()) {
    source.add_characters(builder);
    return builder;
  }
  // Tokens are longer than characters: from so many formulas the vocabulary is taken.
  constexpr int kDraws = 20'000;
  constexpr std::uint64_t kStream = 2;
  Rng rng(seed, kStream);
  for (int i = 0; i < kDraws; ++i) builder.add(source.draw(rng, 1).formula);
  add_tokens(source.pairs(seed), builder, builder);
  return builder;
}

}  // namespace nrs::learn
