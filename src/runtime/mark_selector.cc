#include "runtime/mark_selector.h"

#include <algorithm>

namespace nrs::runtime {

void leaves_of(std::span<const Mark> marks, std::vector<SelectedLeaf>& leaves) {
  leaves.clear();
  for (std::size_t i = 0; i < marks.size();) {
    const std::size_t begin = i++;
    if (marks[begin] != Mark::kBegin) continue;
    while (i < marks.size() && marks[i] == Mark::kInside) ++i;
    leaves.push_back({{begin, i}, 0});
  }
}

std::vector<std::vector<SelectedLeaf>> MarkSelector::select(
    std::span<const Fragment> fragments) const {
  std::vector<std::vector<SelectedLeaf>> leaves(fragments.size());
  std::vector<Mark> marks;
  for (std::size_t i = 0; i < fragments.size(); ++i) {
    if (!fragments[i].whole()) continue;
    automata_.read(fragments[i].text, marks);
    if (std::ranges::find(marks, Mark::kUnknown) == marks.end()) leaves_of(marks, leaves[i]);
  }
  return leaves;
}

}  // namespace nrs::runtime
