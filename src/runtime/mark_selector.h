#pragma once
// A Selector made of automata.
#include <span>
#include <vector>

#include "nrs/modules.h"
#include "runtime/mark_automata.h"

namespace nrs::runtime {

// The leaves of marks, from left to right.
void leaves_of(std::span<const Mark> marks, std::vector<SelectedLeaf>& leaves);

// Law: a text has the leaves that the marks say, and none if it has a context that was never seen:
// the part that can be told is not the whole. Only whole formulas are asked about: reach() is
// unbounded, for what an automaton knows of a cut-off text is nothing.
class MarkSelector final : public Selector {
 public:
  // `automata` must outlive this.
  explicit MarkSelector(const MarkAutomata& automata) : automata_(automata) {}

  std::vector<std::vector<SelectedLeaf>> select(std::span<const Fragment> fragments) const override;

 private:
  const MarkAutomata& automata_;
};

}  // namespace nrs::runtime
