#include "data/example.h"

#include <algorithm>
#include <utility>

namespace nrs::data {

RewriteExample make_example(const Domain& domain, std::string formula) {
  RewriteExample example{.formula = std::move(formula), .steps = {}, .final = false};
  example.final = domain.is_atom(example.formula);
  for (const Span leaf : domain.leaves(example.formula)) {
    example.steps.push_back({leaf, *domain.value(leaf.of(example.formula))});
  }
  return example;
}

std::string_view last_leaf(const RewriteExample& example) {
  const Span whole{0, example.formula.size()};
  return (example.final ? whole : example.steps.back().leaf).of(example.formula);
}

std::string leaf_mask(const RewriteExample& example) {
  std::string mask(example.formula.size(), example.final ? '1' : '0');
  for (const Step& step : example.steps)
    mask.replace(step.leaf.begin, step.leaf.size(), step.leaf.size(), '1');
  return mask;
}

bool rewrite_last(const Domain& domain, int count, bool merge_signs, std::string& formula) {
  for (int i = 0; i < count; ++i) {
    const std::vector<Span> leaves = domain.leaves(formula);
    if (leaves.empty()) return false;
    const Span last = leaves.back();
    formula.replace(last.begin, last.size(), *domain.value(last.of(formula)));
    if (merge_signs) domain.merge_signs(formula);
  }
  return count == 0 || !domain.is_atom(formula);
}

void rewrite_partly(const Domain& domain, int nesting, Rng& rng, Sample& sample) {
  const int count = rng.between(1, 1 << std::min(nesting - 1, 10));
  std::string rewritten = sample.formula;
  if (rewrite_last(domain, count, sample.signs_merged, rewritten)) {
    sample.formula = std::move(rewritten);
  }
}

bool rewrite_some(const Domain& domain, double part, Rng& rng, std::string& formula) {
  const std::vector<Span> leaves = domain.leaves(formula);
  if (leaves.empty()) return false;
  std::string rewritten;
  std::size_t copied = 0;
  const std::size_t always = rng.below(leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (i != always && !rng.chance(part)) continue;
    rewritten.append(formula, copied, leaves[i].begin - copied);
    rewritten += *domain.value(leaves[i].of(formula));
    copied = leaves[i].end;
  }
  rewritten.append(formula, copied);
  formula = std::move(rewritten);
  return true;
}

}  // namespace nrs::data
