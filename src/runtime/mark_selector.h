#pragma once
// A Selector made of automata.
#include <functional>
#include <span>
#include <vector>

#include "nrs/modules.h"
#include "runtime/mark_automata.h"

namespace nrs::runtime {

// A Selector that is made when it is first needed; null: there is none.
using LateSelector = std::function<const Selector*()>;

// The leaves of marks, from left to right.
void leaves_of(std::span<const Mark> marks, std::vector<SelectedLeaf>& leaves);

// Law: a text without a context that was never seen has the leaves that the marks say, and any
// other those of `other`; without one it has none. Only whole formulas are asked about: reach() is
// unbounded, for what an automaton knows of a cut-off text is nothing.
class MarkSelector final : public Selector {
 public:
  // `automata` must outlive this.
  MarkSelector(const MarkAutomata& automata, LateSelector other)
      : automata_(automata), other_(std::move(other)) {}

  std::vector<std::vector<SelectedLeaf>> select(std::span<const Fragment> fragments) const override;

 private:
  const MarkAutomata& automata_;
  LateSelector other_;
};

}  // namespace nrs::runtime
