#pragma once
// Learns a deterministic automaton from rows of symbols by merging contexts that behave alike
// (red-blue state merging).
#include <cstdint>
#include <span>
#include <vector>

namespace nrs::compile {

// What is seen at each place of a row, before its symbol is read: an answer to a question. Contexts
// that answer the same question differently are different states.
struct SymbolRow {
  std::vector<std::uint8_t> symbols;
  std::vector<std::uint32_t> questions;
  std::vector<std::uint8_t> answers;
};

struct Automaton {
  std::size_t symbols = 0;
  std::vector<std::uint8_t> next;  // [states, symbols]; 0: never seen. State 1 is the start

  std::size_t states() const { return next.size() / symbols; }
  std::uint8_t step(std::uint8_t state, std::uint8_t symbol) const {
    return next[state * symbols + symbol];
  }
};

// Throws Error (input) if there would be more than `most` states.
Automaton merge_states(std::span<const SymbolRow> rows, std::size_t symbols, std::size_t most);

}  // namespace nrs::compile
