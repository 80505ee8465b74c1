#pragma once
// Drawing formulas that are all different, reproducibly.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "nrs/domain.h"

namespace nrs::data {

// A set of texts, stored as 64-bit hashes. Two different texts collide about once in 2^64 / n^2
// runs; the only effect is that one formula is not used.
class SeenTexts {
 public:
  // True if the text is new.
  bool insert(std::string_view text);
  bool contains(std::string_view text) const;
  std::size_t size() const { return size_; }

 private:
  std::size_t slot(std::uint64_t hash) const;
  void grow();

  std::vector<std::uint64_t> slots_ =
      std::vector<std::uint64_t>(1024);  // open addressing; 0 is free
  std::size_t size_ = 0;
};

// Throws Error (usage) if formulas of this shape can be longer than a reader accepts.
void check_length(const Domain& domain, const Shape& shape);

struct DrawRequest {
  Shape shape;
  int step = 0;  // each formula is taken after this many rewrites of its last leaf
  std::size_t count = 0;
  std::uint64_t seed = 0;
  int threads = 1;  // does not change what is drawn
};

using TakeSample = std::function<void(const Sample& sample)>;

// Draws formulas that are not in `seen`, and adds them to it. If few exist, they are listed and
// shuffled, so that asking for too many gives exactly those that exist. Otherwise drawing ends
// after many draws in a row that bring nothing new. Returns the number of formulas. The `value` of
// a sample is that of the formula before any rewrite; rewriting does not change it.
std::size_t draw_distinct(const Domain& domain, const DrawRequest& request, SeenTexts& seen,
                          const TakeSample& take);

// Formulas of one level of difficulty: what `nrs generate` prints is what `nrs eval` asks for, if
// they are given the same numbers.
struct LevelRequest {
  int nesting = 1;
  int args_from = kLeastArgs;
  int args_to = kLeastArgs;
  FormulaSpace space = FormulaSpace::kWhole;
  std::size_t count = 0;  // divided equally among the numbers of arguments
  std::uint64_t seed = 0;
  int threads = 1;  // does not change what is drawn
};

// Draws formulas that are not in `seen`, and adds them to it. Returns the number of formulas: fewer
// than asked for if the domain has no more.
std::size_t draw_level(const Domain& domain, const LevelRequest& request, SeenTexts& seen,
                       const std::function<void(const Sample& sample, const Shape& shape)>& take);

}  // namespace nrs::data
