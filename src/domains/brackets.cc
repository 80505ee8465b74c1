#include "domains/brackets.h"

#include <algorithm>

#include "base/rng.h"

namespace nrs::domains {
namespace {

// The fraction of formulas with numbers that are printed as people write them: `(5--3)` as `(5+3)`.
constexpr double kMergeSigns = 0.8;

}  // namespace

std::vector<Span> BracketDomain::leaves(std::string_view text) const {
  constexpr std::size_t kNone = std::string_view::npos;
  std::vector<Span> found;
  std::size_t opened = kNone;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == open_) opened = i;
    if (text[i] != close_ || opened == kNone) continue;
    const Span span{opened, i + 1};
    if (value(span.of(text))) found.push_back(span);
    opened = kNone;
  }
  return found;
}

int BracketDomain::nesting(std::string_view formula) const {
  int depth = 0;
  int deepest = 0;
  for (const char c : formula) {
    if (c == open_) deepest = std::max(deepest, ++depth);
    if (c == close_) --depth;
  }
  return deepest;
}

// Only where two signs meet: `*-` stays.
void BracketDomain::merge_signs(std::string& formula) const {
  std::size_t kept = 0;
  for (const char c : formula) {
    const bool sign = c == '+' || c == '-';
    if (sign && kept > 0 && (formula[kept - 1] == '+' || formula[kept - 1] == '-')) {
      formula[kept - 1] = formula[kept - 1] == c ? '+' : '-';
    } else {
      formula[kept++] = c;
    }
  }
  formula.resize(kept);
}

void BracketDomain::generate(const Shape& shape, Rng& rng, Sample& sample) const {
  const bool has_signs = notation_.alphabet.find('+') != std::string_view::npos;
  sample.signs_merged = has_signs && rng.chance(kMergeSigns);
  sample.formula.clear();
  sample.value = draw(shape, sample.signs_merged, rng, sample.formula);
}

std::size_t full_tree_operators(int nesting) {
  return (std::size_t{1} << std::clamp(nesting, 0, 40)) - 1;
}

}  // namespace nrs::domains
