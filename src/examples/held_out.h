#pragma once
// Which examples are for testing.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "examples/examples.h"

namespace nrs::examples {

struct Split {
  std::vector<std::uint32_t> train;     // indices of examples, in order
  std::vector<std::uint32_t> held_out;  // the same; none if there are too few questions
};

// How deep brackets are nested, any of ( [ {; 0 without any.
std::size_t nesting_of(std::string_view formula);

// Holds out the tenth of the questions that are nested deepest, and of those the longest; where
// this leaves a choice, the seed decides. Law: no question that is held out is rewritten in an
// example that is not. Final formulas alone are never held out. The same examples and seed give the
// same split.
Split split_held_out(std::span<const Example> examples, std::uint64_t seed);

}  // namespace nrs::examples
