#include "rewrite/oracle.h"

#include <limits>

namespace nrs::rewrite {

std::vector<std::vector<SelectedLeaf>> OracleSelector::select(
    std::span<const Fragment> fragments) const {
  std::vector<std::vector<SelectedLeaf>> found(fragments.size());
  for (std::size_t i = 0; i < fragments.size(); ++i) {
    const Fragment& fragment = fragments[i];
    if (fragment.whole() && domain_.is_atom(fragment.text)) {
      found[i].push_back({.span = {0, fragment.text.size()}});
      continue;
    }
    for (const Span span : domain_.leaves(fragment.text)) found[i].push_back({.span = span});
  }
  return found;
}

std::vector<Solution> OracleSolver::solve(std::span<const std::string_view> leaves) const {
  const Origin exact{.source = ValueSource::kOracle};
  std::vector<Solution> solutions;
  solutions.reserve(leaves.size());
  for (const std::string_view leaf : leaves) {
    if (std::optional<std::string> value = domain_.value(leaf)) {
      solutions.push_back({.value = std::move(*value), .origin = exact});
    } else {
      // An atom; anything else is not a leaf, and to say omega of it with no confidence is the
      // Solver's only way to say so.
      const bool atom = domain_.is_atom(leaf);
      const double never = -std::numeric_limits<double>::infinity();
      solutions.push_back(
          {.value = {}, .omega = true, .log_prob = atom ? 0 : never, .origin = exact});
    }
  }
  return solutions;
}

}  // namespace nrs::rewrite
