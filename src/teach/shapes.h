#pragma once
// Which rows of classes are leaves, found out from steps that show only a text before and after.
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "teach/corpus.h"

namespace nrs::teach {

// No leaf is taken to be longer than this many tokens.
inline constexpr std::size_t kLongestLeaf = 24;

// A step between two rows, and how it is explained: the places it rewrites, left to right.
struct TextStep {
  const Row* before = nullptr;
  const Row* after = nullptr;
  std::uint32_t example = 0;  // its number in the corpus
  std::vector<Rewrite> rewrites{};

  bool explained() const { return !rewrites.empty(); }
};

// All the steps of a corpus. Those whose places the file states are explained.
std::vector<TextStep> steps_of(const Corpus& corpus);

// Finds few shapes that explain most steps, and explains the steps by them. A step of a single
// place is a range that contains all differences; of the ranges that could be it, those of the
// commonest shape are taken. A shape that smaller ones explain when several places are rewritten at
// once is none, and neither is one that is `banned`. Steps that no shape explains stay unexplained.
// Returns the shapes, shortest first.
std::vector<Symbols> find_shapes(const Corpus& corpus, std::span<TextStep> steps,
                                 const std::set<Symbols>& banned = {});

// Explains what is not yet explained by these shapes, shortest first. See exceptions().
void explain(const Corpus& corpus, const std::vector<Symbols>& shapes, std::span<TextStep> steps);

}  // namespace nrs::teach
