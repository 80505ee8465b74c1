#pragma once
// The rewriting loop on automata and tables. It does what rewrite::Derivation does, round by round,
// but keeps the states of both automata with each character: after a rewrite only those characters
// are read again whose states have changed.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "nrs/rewriter.h"
#include "rewrite/habits.h"
#include "runtime/leaf_table.h"
#include "runtime/mark_automata.h"

namespace nrs::runtime {

// What the loop runs on.
struct MarkedParts {
  MarkAutomata automata;
  LeafTable table;
  rewrite::Habits habits{};
};

// One formula after the other; the memory is used again. Only one thread at a time may use it. Law:
// what run() answers is what FastNrs answers with a MarkSelector and a LeafSolver of the same
// parts. The cost grows with the length of the formula plus the characters that change.
class MarkedRun {
 public:
  // Takes all leaves in each round and records nothing, whatever the options say.
  Result run(const MarkedParts& parts, std::string_view formula, const RunOptions& options);

 private:
  using Link = std::uint32_t;
  static constexpr Link kEdge = 0;                // before the first and after the last character
  static constexpr std::uint8_t kNotRead = 0xFF;  // no state: the character is new
  static constexpr std::uint8_t kGone = 0xFE;     // no state: the character is in no text
  // The links of one character. 16 bytes, so that a walk touches one line of the cache per step.
  struct Cell {
    Link next = 0;
    Link previous = 0;
    std::uint32_t round = 0;  // in which it was last seen to change
    char text = 0;
    std::uint8_t left = kNotRead;
    std::uint8_t right = kNotRead;
    Mark mark = Mark::kOutside;
  };
  struct Leaf {
    Link first = 0, last = 0;
    Span value{};  // in `values_`
  };
  bool read(std::string_view formula);
  bool met(Link first, Link second) const;
  bool first_marks();
  std::optional<Stop> go_on(std::size_t most, const RunOptions& options, Result& result);
  std::optional<Stop> judge(const RunOptions& options);
  std::optional<Stop> look_up(Leaf& leaf, const RunOptions& options, bool& usable);
  Stop why_stuck();
  void replace(const Leaf& leaf);
  void read_again(Link from, Link to);
  bool mark_again();
  void add_leaf_at(Link begin);
  void note_change(Link link);
  bool came_back(std::size_t size_before);
  std::string text() const;

  const MarkedParts* parts_ = nullptr;
  std::vector<Cell> cells_;
  std::size_t size_ = 0;
  std::uint32_t round_ = 0;
  std::vector<Leaf> leaves_;  // found in this round
  // First and last character of each new value; of an empty one those behind and before it.
  std::vector<std::pair<Link, Link>> places_;
  std::vector<Link> changed_;
  std::string leaf_text_;
  std::string values_;                      // of this round
  std::unordered_set<std::uint64_t> seen_;  // hashes of formulas that did not get shorter
};

}  // namespace nrs::runtime
