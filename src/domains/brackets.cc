#include "domains/brackets.h"

#include <algorithm>

namespace nrs::domains {

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

std::size_t full_tree_operators(int nesting) {
  return (std::size_t{1} << std::clamp(nesting, 0, 40)) - 1;
}

}  // namespace nrs::domains
