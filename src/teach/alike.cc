#include "teach/alike.h"

#include <set>

namespace nrs::teach {
namespace {

enum class Verdict : char { kUnknown, kLeaf, kNoLeaf };

// Whether patterns are leaves beside the tokens that stand on one side of some leaf.
struct Side {
  std::vector<std::map<Symbol, Verdict>> verdicts{};  // by pattern
  std::set<Symbol> tokens{};

  Verdict of(std::size_t pattern, Symbol token) const {
    const auto found = verdicts[pattern].find(token);
    return found == verdicts[pattern].end() ? Verdict::kUnknown : found->second;
  }
};

Side side_of(const Draft& draft, Symbols text::Body::*accepted, Symbol Neighbours::*beside) {
  Side side;
  for (std::size_t pattern = 0; pattern < draft.matcher().size(); ++pattern) {
    auto& verdicts = side.verdicts.emplace_back();
    for (const auto& [pair, votes] : draft.evidence(pattern)) {
      if (votes.against > 0) verdicts[pair.*beside] = Verdict::kNoLeaf;
    }
    for (const Symbol token : draft.matcher().body(pattern).*accepted) {
      verdicts[token] = Verdict::kLeaf;
      side.tokens.insert(token);
    }
  }
  return side;
}

bool alike(const Side& side, Symbol a, Symbol b) {
  constexpr std::size_t kEnough = 4;  // patterns beside both
  std::size_t both = 0, one = 0;
  for (std::size_t pattern = 0; pattern < side.verdicts.size(); ++pattern) {
    const Verdict with_a = side.of(pattern, a), with_b = side.of(pattern, b);
    if (with_a == with_b) {
      both += with_a == Verdict::kLeaf;
    } else if (with_a != Verdict::kUnknown && with_b != Verdict::kUnknown) {
      return false;
    } else {
      one += with_a == Verdict::kLeaf || with_b == Verdict::kLeaf;
    }
  }
  return both >= kEnough && one <= both;
}

// What each pattern accepts, with what is like it.
std::vector<Symbols> widened(const Side& side) {
  std::vector<std::set<Symbol>> all(side.verdicts.size());
  const auto lend = [&](Symbol from, Symbol to) {
    for (std::size_t pattern = 0; pattern < all.size(); ++pattern) {
      if (side.of(pattern, from) == Verdict::kLeaf) all[pattern].insert(to);
    }
  };
  for (const Symbol a : side.tokens) {
    for (const Symbol b : side.tokens) {
      if (a == b || alike(side, a, b)) lend(a, b);
    }
  }
  std::vector<Symbols> accepted;
  for (const std::set<Symbol>& tokens : all) accepted.emplace_back(tokens.begin(), tokens.end());
  return accepted;
}

}  // namespace

void accept_alike(Draft& draft) {
  const std::vector<Symbols> left = widened(side_of(draft, &text::Body::left, &Neighbours::first));
  const std::vector<Symbols> right =
      widened(side_of(draft, &text::Body::right, &Neighbours::second));
  for (std::size_t pattern = 0; pattern < left.size(); ++pattern) {
    draft.set_sides(pattern, {left[pattern], right[pattern]});
  }
}

}  // namespace nrs::teach
