#pragma once
// Formulas of one level of difficulty: what `nrs generate` prints is what `nrs eval` asks for, if
// they are given the same numbers.
#include <cstddef>
#include <cstdint>
#include <functional>

#include "data/distinct.h"
#include "nrs/domain.h"

namespace nrs::data {

struct LevelRequest {
  int nesting = 1;
  int args_from = 2;
  int args_to = 2;
  FormulaSpace space = FormulaSpace::kWhole;
  std::size_t count = 0;  // divided equally among the numbers of arguments
  std::uint64_t seed = 0;
  int threads = 1;  // does not change what is drawn
};

using TakeShaped = std::function<void(const Sample& sample, const Shape& shape)>;

// Draws formulas that are not in `seen`, and adds them to it. Returns the number of formulas: fewer
// than asked for if the domain has no more.
std::size_t draw_level(const Domain& domain, const LevelRequest& request, SeenTexts& seen,
                       const TakeShaped& take);

}  // namespace nrs::data
