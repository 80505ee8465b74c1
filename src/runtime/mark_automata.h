#pragma once
// A Selector's function as explicit machinery: an automaton that reads from the left, one that
// reads from the right, and a table of marks. The mark of a character depends on the state of the
// left one before it, on the character, and on the state of the right one behind it.
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace nrs::runtime {

enum class Mark : std::uint8_t {
  kOutside,
  kBegin,   // of a leaf
  kInside,  // the rest of it
  kUnknown  // nobody has seen such a context, so nobody may tell
};

// State 0 of both automata is a context that was never seen, and is never left; state 1 is the
// start of the text, or its end. Class 0 is a byte that was never seen.
struct MarkAutomata {
  std::array<std::uint8_t, 256> class_of{};
  std::size_t classes = 1;
  std::vector<std::uint8_t> left;   // [left states, classes]: the next state
  std::vector<std::uint8_t> right;  // [right states, classes]
  std::vector<Mark> marks;          // [left states, classes, right states]
  // [classes, classes]: 1 if one was seen before the other. Here class 0 is the end of a text.
  std::vector<std::uint8_t> neighbours;

  static constexpr std::uint8_t kNever = 0;
  static constexpr std::uint8_t kEdge = 1;
  static constexpr std::size_t kMostStates = 254;

  std::size_t left_states() const { return left.size() / classes; }
  std::size_t right_states() const { return right.size() / classes; }
  std::uint8_t class_at(char c) const { return class_of[static_cast<unsigned char>(c)]; }
  std::uint8_t after(std::uint8_t state, char c) const {
    return left[state * classes + class_at(c)];
  }
  std::uint8_t before(std::uint8_t state, char c) const {
    return right[state * classes + class_at(c)];
  }
  Mark mark(std::uint8_t left_state, char c, std::uint8_t right_state) const {
    return marks[(left_state * classes + class_at(c)) * right_states() + right_state];
  }
  bool met(std::uint8_t first, std::uint8_t second) const {
    return neighbours[first * classes + second] != 0;
  }
  // The marks of a whole text; unknown are also those of characters that were never seen side by
  // side. Overwrites `marks`; reuses its memory.
  void read(std::string_view text, std::vector<Mark>& marks) const;
  // Throws Error (input) unless the sizes fit and every state is in the tables.
  void check() const;

  bool operator==(const MarkAutomata&) const = default;
};

}  // namespace nrs::runtime
