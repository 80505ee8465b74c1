#include "learn/vocabulary.h"

namespace nrs {
namespace {

// Formulas from which the vocabulary is taken when tokens are longer than characters.
constexpr int kVocabularyDraws = 20'000;
constexpr std::uint64_t kStream = 2;

}  // namespace

VocabularyBuilder formula_tokens(const SelectorConfig& config, const ExampleSource& source,
                                 std::uint64_t seed) {
  VocabularyBuilder builder{TokenRules(config.token_rules)};
  if (config.token_rules.empty()) {
    builder.add(source.alphabet());
    return builder;
  }
  Rng rng(seed, kStream);
  for (int i = 0; i < kVocabularyDraws; ++i) builder.add(source.draw(rng).formula);
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
