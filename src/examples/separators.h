#pragma once
// Where a line may be cut into formulas. Arrows and equals signs may also belong to the notation,
// so every place has a rank, and the whole file decides which ranks are separators.
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace nrs::examples {

enum class Family { kArrows, kEquals };  // ->, => and →; =

// How much a separator looks like one, best first: with blanks around it or not, outside of
// brackets or inside. In a line whose brackets do not match, nothing is inside.
enum Rank : unsigned { kApart, kTight, kApartInside, kTightInside, kRanks };

struct Cut {
  std::size_t begin;
  std::size_t end;
  Rank rank;
};

// All places of a line, left to right.
std::vector<Cut> find_cuts(std::string_view line, Family family);

// Which ranks some line has, one bit each.
using Ranks = unsigned;
Ranks ranks_of(const std::vector<Cut>& cuts);

// Whether the text begins with an arrow.
bool begins_with_arrow(std::string_view text);

// The ranks that separate. A rank that occurs in some line together with a better one is notation:
// in `(a->b) -> c` the first arrow is, and then also in lines that have no other.
class Separators {
 public:
  explicit Separators(Family family) : family_(family) {}

  Family family() const { return family_; }
  // Takes a line of the file into account.
  void learn(std::string_view line);
  // How well the lines so far are explained by this family; 1 for each line with an apart one.
  double score() const { return score_; }
  // The trimmed parts of a line; the whole line if nothing separates.
  std::vector<std::string_view> split(std::string_view line) const;
  // Whether there is an apart separator in the line.
  bool apart(std::string_view line) const;

 private:
  Family family_;
  Ranks notation_ = 0;
  double score_ = 0;
};

}  // namespace nrs::examples
