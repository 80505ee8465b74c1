#include "learn/examples/example_source.h"

#include <utility>

#include "data/trace_file.h"

namespace nrs::learn {
namespace {

constexpr std::uint64_t kVocabularyStream = 2;

}  // namespace

std::unique_ptr<ExampleSource> make_source(const recipe::DataConfig& config, std::uint64_t seed) {
  if (!config.traces.empty()) return make_list_source(data::read_trace_file(config.traces), config);
  if (!config.folder.empty()) return make_folder_source(config.folder);
  std::vector<const Domain*> domains;
  for (const std::string& name : config.domains) domains.push_back(&find_domain(name));
  return config.protocol == data::Protocol::kFull
             ? make_domains_source(domains, config.protocol, config.deepest)
             : make_paper_source(std::move(domains), seed);
}

model::VocabularyBuilder formula_tokens(const nn::SelectorConfig& config,
                                        const ExampleSource& source, std::uint64_t seed) {
  model::VocabularyBuilder builder{model::TokenRules(config.token_rules)};
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

}  // namespace nrs::learn
