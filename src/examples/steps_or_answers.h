#pragma once
// Pairs of formulas: is the second the first after one step, or the answer to it?
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "examples/examples.h"

namespace nrs::examples {

using Pair = std::pair<std::string_view, std::string_view>;

struct Decision {
  Kind kind;
  std::string why;
  // The second formulas need not be final: other lines rewrite some of them.
  bool goes_on = false;
};

// Whether many second formulas are first ones of other lines.
bool leads_on(std::span<const Pair> pairs);

// From the pairs alone. Steps: what one line ends with is often what another begins with, or most
// of a formula stays as it is. `likelier` is what the form of the file suggests; to decide against
// steps, more is asked for then.
Decision steps_or_answers(std::span<const Pair> pairs, Kind likelier);

}  // namespace nrs::examples
