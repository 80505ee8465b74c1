#pragma once
// Where the formulas come from by which a Selector is learnt: the only thing that compiling knows
// of a rewriting system.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace nrs::compile {

// Both const and thread-safe.
struct Texts {
  // A formula and what becomes of it on the way to its value: the same for the same number.
  std::function<std::vector<std::string>(std::uint64_t number)> draw;
  // Whether a text is such a formula. Only these count: what a Selector says of other texts, such
  // as formulas without a value, follows no rule.
  std::function<bool(const std::string& text)> accepts;
};

}  // namespace nrs::compile
