#include "runtime/mark_automata.h"

#include <algorithm>

#include "runtime/require.h"

namespace nrs::runtime {
namespace {

constexpr const char* kMarkAutomata = "automata of marks";

}  // namespace

void MarkAutomata::read(std::string_view text, std::vector<Mark>& to) const {
  to.resize(text.size());
  std::uint8_t state = kEdge;
  // The right states first, where the marks will be.
  for (std::size_t i = text.size(); i-- > 0;) {
    to[i] = static_cast<Mark>(state);
    state = before(state, text[i]);
  }
  state = kEdge;
  std::uint8_t last = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint8_t one = class_at(text[i]);
    to[i] =
        met(last, one) ? mark(state, text[i], static_cast<std::uint8_t>(to[i])) : Mark::kUnknown;
    state = after(state, text[i]);
    last = one;
  }
  if (!text.empty() && !met(last, 0)) to.back() = Mark::kUnknown;
}

void MarkAutomata::check() const {
  require(classes > 1 && left.size() % classes == 0 && right.size() % classes == 0, kMarkAutomata,
          "the tables do not fit the classes");
  const std::size_t lefts = left_states(), rights = right_states();
  require(lefts > kEdge && lefts <= kMostStates && rights > kEdge && rights <= kMostStates,
          kMarkAutomata, "there are too few or too many states");
  require(marks.size() == lefts * classes * rights, kMarkAutomata,
          "the table of marks does not fit the states");
  require(neighbours.size() == classes * classes, kMarkAutomata,
          "the table of neighbours does not fit");
  require(std::ranges::all_of(class_of, [&](auto one) { return one < classes; }), kMarkAutomata,
          "a class is not in the tables");
  require(std::ranges::all_of(left, [&](auto one) { return one < lefts; }) &&
              std::ranges::all_of(right, [&](auto one) { return one < rights; }),
          kMarkAutomata, "a state is not in the tables");
  require(std::ranges::all_of(marks, [](Mark one) { return one <= Mark::kUnknown; }), kMarkAutomata,
          "there is no such mark");
}

}  // namespace nrs::runtime
