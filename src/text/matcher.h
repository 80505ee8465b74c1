#pragma once
// Finds the leaves of a row of tokens by patterns.
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "text/patterns.h"

namespace nrs::text {

// A range of tokens and the pattern that they match.
struct Match {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t pattern = 0;
};

// A pattern as numbers. The neighbours are sorted.
struct Body {
  Symbols symbols;
  Symbols left;
  Symbols right;
};

// Const and thread-safe once made. Law: whether a range matches depends on its tokens and on the
// two beside it.
class Matcher {
 public:
  // Adds the pattern and returns its number; the same symbols twice are one pattern.
  std::size_t add(Body body);
  void set_neighbours(std::size_t pattern, Symbols left, Symbols right);

  std::optional<std::size_t> find(const Symbols& body) const;
  const Body& body(std::size_t pattern) const { return bodies_[pattern]; }
  std::size_t size() const { return bodies_.size(); }
  std::size_t longest() const { return longest_; }

  // Calls `visit(match)` for every range whose symbols are those of a pattern, whatever is beside
  // it, by its begin and then its length.
  template <class Visit>
  void visit_bodies(const Symbols& row, Visit visit) const {
    for (std::size_t begin = 0; begin < row.size(); ++begin) visit_from(row, begin, visit);
  }
  // The same for the ranges that begin at one place.
  template <class Visit>
  void visit_from(const Symbols& row, std::size_t begin, Visit visit) const {
    std::uint32_t node = 0;
    for (std::size_t end = begin; end < row.size();) {
      node = next(node, row[end]);
      if (node == 0) return;
      ++end;
      if (ends_[node] != kNone) visit(Match{begin, end, ends_[node]});
    }
  }
  bool fits(const Match& match, Symbol left, Symbol right) const;

  // The matches that fit and are not overlapped by one that begins further left: whether a match is
  // one of them depends on at most longest() tokens beside it, and the first of all always is.
  // `before` and `behind` are what stands beside the row.
  std::vector<Match> leaves(const Symbols& row, Symbol before, Symbol behind) const;
  // The first match that fits at or behind `from`, in a whole text.
  std::optional<Match> first(const Symbols& row, std::size_t from = 0) const;

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  // Most systems have few classes: an edge of one of these is looked up in an array.
  static constexpr Symbol kFew = 64;

  // The node behind an edge; 0 if there is none, because no edge leads to the root.
  std::uint32_t next(std::uint32_t node, Symbol symbol) const {
    if (symbol < kFew) return few_[std::size_t{node} * kFew + symbol];
    const auto found = others_.find(edge(node, symbol));
    return found == others_.end() ? 0 : found->second;
  }
  static std::uint64_t edge(std::uint32_t node, Symbol symbol) {
    return (std::uint64_t{node} << 32) | symbol;
  }

  std::vector<Body> bodies_;
  // A tree over the symbols of bodies.
  std::vector<std::uint32_t> few_ = std::vector<std::uint32_t>(kFew);
  std::unordered_map<std::uint64_t, std::uint32_t> others_;
  std::vector<std::size_t> ends_{kNone};  // by node: the pattern that ends there
  std::size_t longest_ = 0;
};

}  // namespace nrs::text
