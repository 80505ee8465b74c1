#include "text/matcher.h"

#include <algorithm>

namespace nrs::text {

std::size_t Matcher::add(Body body) {
  std::uint32_t node = 0;
  for (const Symbol symbol : body.symbols) {
    std::uint32_t to = next(node, symbol);
    if (to == 0) {
      to = static_cast<std::uint32_t>(ends_.size());
      ends_.push_back(kNone);
      few_.resize(ends_.size() * kFew);
      (symbol < kFew ? few_[std::size_t{node} * kFew + symbol] : others_[edge(node, symbol)]) = to;
    }
    node = to;
  }
  if (ends_[node] != kNone) return ends_[node];
  longest_ = std::max(longest_, body.symbols.size());
  ends_[node] = bodies_.size();
  bodies_.push_back({std::move(body.symbols), {}, {}});
  set_neighbours(ends_[node], std::move(body.left), std::move(body.right));
  return ends_[node];
}

void Matcher::set_neighbours(std::size_t pattern, Symbols left, Symbols right) {
  std::ranges::sort(left);
  std::ranges::sort(right);
  bodies_[pattern].left = std::move(left);
  bodies_[pattern].right = std::move(right);
}

std::optional<std::size_t> Matcher::find(const Symbols& body) const {
  std::uint32_t node = 0;
  for (const Symbol symbol : body) {
    node = next(node, symbol);
    if (node == 0) return {};
  }
  return ends_[node] == kNone ? std::nullopt : std::optional(ends_[node]);
}

bool Matcher::fits(const Match& match, Symbol left, Symbol right) const {
  const Body& body = bodies_[match.pattern];
  return std::ranges::binary_search(body.left, left) &&
         std::ranges::binary_search(body.right, right);
}

std::vector<Match> Matcher::leaves(const Symbols& row, Symbol before, Symbol behind) const {
  std::vector<Match> found;
  std::size_t covered = 0;  // the end of everything that begins further left
  for (std::size_t begin = 0; begin < row.size(); ++begin) {
    std::size_t reached = covered;
    std::optional<Match> taken;
    visit_from(row, begin, [&](const Match& match) {
      const Symbol left = begin == 0 ? before : row[begin - 1];
      const Symbol right = match.end == row.size() ? behind : row[match.end];
      if (!fits(match, left, right)) return;
      reached = std::max(reached, match.end);
      if (!taken && begin >= covered) taken = match;
    });
    if (taken) found.push_back(*taken);
    covered = reached;
  }
  return found;
}

std::optional<Match> Matcher::first(const Symbols& row, std::size_t from) const {
  std::optional<Match> found;
  for (std::size_t begin = from; begin < row.size() && !found; ++begin) {
    visit_from(row, begin, [&](const Match& match) {
      const Symbol left = begin == 0 ? Vocabulary::kStartSymbol : row[begin - 1];
      const Symbol right = match.end == row.size() ? Vocabulary::kEndSymbol : row[match.end];
      if (!found && fits(match, left, right)) found = match;
    });
  }
  return found;
}

}  // namespace nrs::text
