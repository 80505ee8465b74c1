#include "teach/several_places.h"

#include <algorithm>

#include "teach/shapes.h"

namespace nrs::teach {
namespace {

// A point in both rows that can be reached, and how.
struct Visit {
  std::size_t from = 0;  // the visit before it
  std::size_t before = 0, after = 0;
  bool rewrites = false;
};

std::vector<Rewrite> path_to(const std::vector<Visit>& visits, std::size_t last, const Row& after) {
  std::vector<Rewrite> rewrites;
  for (std::size_t i = last; i != 0; i = visits[i].from) {
    if (!visits[i].rewrites) continue;
    const Visit& from = visits[visits[i].from];
    rewrites.push_back(
        {from.before, visits[i].before, after.substr(from.after, visits[i].after - from.after)});
  }
  std::ranges::reverse(rewrites);
  return rewrites;
}

}  // namespace

void SeveralPlaces::add(const Symbols& shape, std::span<TextStep* const> steps) {
  shapes_.add({shape, {}, {}});
  // The value of a leaf that is a whole row counts only if no other is known.
  for (const bool whole : {false, true}) {
    for (const TextStep* step : steps) {
      const Rewrite& rewrite = step->rewrites[0];
      const std::size_t size = rewrite.end - rewrite.begin;
      if ((size == step->before->size()) != whole) continue;
      values_.emplace(step->before->substr(rewrite.begin, size), rewrite.value);
      longest_value_ = std::max(longest_value_, rewrite.value.size());
    }
  }
}

// A search over pairs of places, deepest first: each pair is reached once.
std::vector<Rewrite> SeveralPlaces::explain(const Row& before, const Row& after) const {
  constexpr std::size_t kMostPairs = 1 << 20;
  const std::size_t n = before.size(), m = after.size();
  if ((n + 1) * (m + 1) > kMostPairs) return {};
  const Symbols classes = corpus_.classes(before);
  std::vector<char> seen((n + 1) * (m + 1));
  std::vector<Visit> visits{{}};
  std::vector<std::size_t> open{0};
  const auto reach = [&](std::size_t from, std::size_t i, std::size_t j, bool rewrites) {
    if (i > n || j > m || seen[i * (m + 1) + j]) return;
    open.push_back(visits.size());
    visits.push_back({from, i, j, rewrites});
  };
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    const std::size_t i = visits[at].before, j = visits[at].after;
    if (i == n && j == m) return path_to(visits, at, after);
    if (seen[i * (m + 1) + j]) continue;
    seen[i * (m + 1) + j] = 1;
    if (i < n && j < m && before[i] == after[j]) reach(at, i + 1, j + 1, false);
    shapes_.visit_from(classes, i, [&](const text::Match& match) {
      const auto known = values_.find(before.substr(i, match.end - i));
      if (known == values_.end()) {
        for (std::size_t size = 0; size <= longest_value_; ++size) {
          reach(at, match.end, j + size, true);
        }
      } else if (after.compare(j, known->second.size(), known->second) == 0) {
        reach(at, match.end, j + known->second.size(), true);
      }
    });
  }
  return {};
}

}  // namespace nrs::teach
