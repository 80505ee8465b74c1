#include "examples/separators.h"

#include "examples/line_form.h"

namespace nrs::examples {
namespace {

constexpr std::array<std::string_view, 3> kArrows{"->", "=>", "→"};
// What a line counts for whose best separator has this rank.
constexpr std::array<double, kRanks> kWeight{1.0, 0.9, 0.5, 0.3};
constexpr std::string_view kNotBeforeEquals = "<>!:=~^/\\";
constexpr std::string_view kNotAfterEquals = "=><~";

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

std::size_t arrow_length(std::string_view text) {
  // Most characters begin none.
  if (text.empty() || (text[0] != '-' && text[0] != '=' && text[0] != kArrows[2][0])) return 0;
  for (const std::string_view arrow : kArrows) {
    if (text.starts_with(arrow)) return arrow.size();
  }
  return 0;
}

// The length of an equals sign at `at` that is not part of <=, ==, => and the like.
std::size_t equals_length(std::string_view line, std::size_t at) {
  if (line[at] != '=') return 0;
  if (at > 0 && kNotBeforeEquals.find(line[at - 1]) != std::string_view::npos) return 0;
  if (at + 1 < line.size() && kNotAfterEquals.find(line[at + 1]) != std::string_view::npos) {
    return 0;
  }
  return 1;
}

// Depth of brackets while a line is read from left to right.
class Brackets {
 public:
  void take(char c) {
    if (c == '(' || c == '[' || c == '{') ++depth_;
    if (c == ')' || c == ']' || c == '}') --depth_;
    matched_ = matched_ && depth_ >= 0;
  }
  bool inside() const { return depth_ > 0; }
  bool matched() const { return matched_ && depth_ == 0; }

 private:
  std::ptrdiff_t depth_ = 0;
  bool matched_ = true;
};

Rank best(Ranks ranks) {
  unsigned rank = 0;
  while ((ranks >> rank & 1U) == 0) ++rank;
  return static_cast<Rank>(rank);
}

}  // namespace

bool begins_with_arrow(std::string_view text) {
  return arrow_length(text) > 0;
}

std::vector<Cut> find_cuts(std::string_view line, Family family) {
  std::vector<Cut> cuts;
  Brackets brackets;
  for (std::size_t i = 0; i < line.size();) {
    const std::size_t length =
        family == Family::kArrows ? arrow_length(line.substr(i)) : equals_length(line, i);
    if (length == 0) {
      brackets.take(line[i++]);
      continue;
    }
    const std::size_t end = i + length;
    const bool apart =
        (i == 0 || is_blank(line[i - 1])) && (end == line.size() || is_blank(line[end]));
    const bool inside = brackets.inside();
    cuts.push_back(
        {i, end, apart ? (inside ? kApartInside : kApart) : (inside ? kTightInside : kTight)});
    i = end;
  }
  if (!brackets.matched()) {
    for (Cut& cut : cuts) {
      if (cut.rank == kApartInside) cut.rank = kApart;
      if (cut.rank == kTightInside) cut.rank = kTight;
    }
  }
  return cuts;
}

Ranks ranks_of(const std::vector<Cut>& cuts) {
  Ranks ranks = 0;
  for (const Cut& cut : cuts) ranks |= 1U << cut.rank;
  return ranks;
}

void Separators::learn(std::string_view line) {
  const Ranks ranks = ranks_of(find_cuts(line, family_));
  if (ranks == 0) return;
  score_ += kWeight[best(ranks)];
  notation_ |= ranks & (ranks - 1);  // all but the best
}

std::vector<std::string_view> Separators::split(std::string_view line) const {
  std::vector<std::string_view> parts;
  const std::vector<Cut> cuts = find_cuts(line, family_);
  const Ranks ranks = ranks_of(cuts);
  std::size_t begin = 0;
  if (ranks != 0 && (best(ranks) == kApart || (notation_ >> best(ranks) & 1U) == 0)) {
    for (const Cut& cut : cuts) {
      if (cut.rank != best(ranks)) continue;
      parts.push_back(trimmed(line.substr(begin, cut.begin - begin)));
      begin = cut.end;
    }
  }
  parts.push_back(trimmed(line.substr(begin)));
  return parts;
}

bool Separators::apart(std::string_view line) const {
  return (ranks_of(find_cuts(line, family_)) & 1U << kApart) != 0;
}

}  // namespace nrs::examples
