#include "learn/examples/vocabulary.h"

namespace nrs {
namespace {

constexpr std::uint64_t kVocabularyStream = 2;

}  // namespace

VocabularyBuilder formula_tokens(const SelectorConfig& config, const ExampleSource& source,
                                 std::uint64_t seed) {
  VocabularyBuilder builder{TokenRules(config.token_rules)};
  if (config.token_rules.empty()) {
    builder.add(source.alphabet());
    return builder;
  }
  // Tokens are longer than characters: from so many formulas the vocabulary is taken.
  constexpr int kDraws = 20'000;
  Rng rng(seed, kVocabularyStream);
  for (int i = 0; i < kDraws; ++i) builder.add(source.draw(rng).formula);
  const SolverPairs pairs = source.pairs(seed);
  for (const PairList* list : {&pairs.train, &pairs.valid, &pairs.unseen}) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      builder.add(list->text(i));
      if (!list->omega(i)) builder.add(list->value(i));
    }
  }
  return builder;
}

}  // namespace nrs
