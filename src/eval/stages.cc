#include "eval/stages.h"

#include <algorithm>

#include "data/example.h"
#include "nrs/error.h"

namespace nrs::eval {
namespace {

constexpr int kMostNesting = 12;
constexpr std::size_t kMostLength = 2048;  // deeper formulas show a Selector nothing new
constexpr int kMostGrafts = 6;
constexpr std::uint64_t kGraftStream = 0x6772616674;

// The nesting of the deepest formulas that show a Selector something new.
int deepest_context(const Domain& domain, int args) {
  int nesting = 1;
  while (nesting < kMostNesting && domain.longest_formula({nesting + 1, args}) <= kMostLength) {
    ++nesting;
  }
  return nesting;
}

std::string draw(const Domain& domain, int most_nesting, Rng& rng) {
  const int args = rng.between(kLeastArgs, domain.most_args());
  Sample sample;
  domain.generate({rng.between(1, std::min(most_nesting, deepest_context(domain, args))), args},
                  rng, sample);
  return sample.formula;
}

std::vector<std::string> stages(const Domain& domain, double part, Rng& rng, std::string formula) {
  std::vector<std::string> texts;
  do {
    texts.push_back(formula);
  } while (data::rewrite_some(domain, part, rng, formula));
  return texts;
}

bool reads(const Domain& domain, const std::string& text) {
  try {
    return domain.read(text) == text;
  } catch (const Error&) {
    return false;
  }
}

bool has_value(const Domain& domain, std::string formula) {
  Rng rng(0);
  while (data::rewrite_some(domain, 1, rng, formula)) continue;
  return domain.is_atom(formula);
}

// Small formulas in the places of leaves, again and again: trees of any shape.
std::string grafted_formula(const Domain& domain, Rng& rng) {
  std::string formula = draw(domain, 2, rng);
  const int grafts = rng.between(1, kMostGrafts);
  for (int i = 0; i < grafts; ++i) {
    const std::vector<Span> leaves = domain.leaves(formula);
    const Span place = leaves[rng.below(leaves.size())];
    std::string text = formula;
    text.replace(place.begin, place.size(), draw(domain, 2, rng));
    if (reads(domain, text) && has_value(domain, text)) formula = std::move(text);
  }
  return formula;
}

}  // namespace

std::vector<Span> expected_leaves(const Domain& domain, std::string_view formula, Leaves wanted) {
  if (domain.is_atom(formula)) return {{0, formula.size()}};
  std::vector<Span> leaves = domain.leaves(formula);
  if (wanted == Leaves::kLast && !leaves.empty()) leaves.erase(leaves.begin(), leaves.end() - 1);
  return leaves;
}

std::vector<std::string> stages_of_formula(const Domain& domain, std::uint64_t seed,
                                           std::uint64_t number) {
  Rng rng(seed, number);
  std::string formula = draw(domain, kMostNesting, rng);
  return stages(domain, number % 2 == 0 ? 1 : 0.5, rng, std::move(formula));
}

std::string spoilt_formula(const Domain& domain, const std::vector<std::string>& valueless,
                           Rng& rng) {
  std::string formula = draw(domain, kMostNesting, rng);
  const std::vector<Span> leaves = domain.leaves(formula);
  const Span place = leaves[rng.below(leaves.size())];
  return formula.replace(place.begin, place.size(), valueless[rng.below(valueless.size())]);
}

compile::Texts texts_of(const std::vector<const Domain*>& domains, std::uint64_t seed) {
  compile::Texts texts;
  texts.draw = [domains, seed](std::uint64_t number) {
    const Domain& domain = *domains[number % domains.size()];
    const std::uint64_t own = number / domains.size();
    if (own % 2 == 0) return stages_of_formula(domain, seed, own / 2);
    Rng rng(mix(seed, kGraftStream), number);
    return stages(domain, rng.uniform(), rng, grafted_formula(domain, rng));
  };
  texts.accepts = [domains](const std::string& text) {
    return std::ranges::any_of(domains, [&](const Domain* domain) {
      return reads(*domain, text) && has_value(*domain, text);
    });
  };
  return texts;
}

}  // namespace nrs::eval
