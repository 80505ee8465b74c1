#pragma once
// A last look at the neighbours of leaves, where answers may be wrong: votes count single leaves
// and lean on answers that few examples give; here whole questions are answered with and without a
// neighbour.
#include <set>
#include <vector>

#include "teach/draft.h"

namespace nrs::teach {

struct AskedRow {
  const Row* row;
  const Row* answer;
  std::uint64_t times;  // examples that are the same
};

// Drops neighbours that make more answers wrong than the noise does, and adds those that make
// enough of them right. `finals` are the classes of final rows: what ends otherwise is stuck.
void polish(Draft& draft, std::vector<AskedRow> questions, const std::set<Symbols>& finals,
            const Standard& standard);

}  // namespace nrs::teach
