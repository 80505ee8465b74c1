#pragma once
// A Solver's function on a finite set of leaves, as a table: an automaton that accepts the leaves
// and numbers them, and the values by number.
//
// A leaf is read in two parts. The first leads to a row, the second to a place in the row: rows of
// equal values are stored once. Where all values of a row end as their leaves do, as +17*x in
// (+5*x+12*x), the row says how many characters are copied, and only the rest is stored.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/leaf_guard.h"

namespace nrs::runtime {

// What a Solver said of a leaf.
struct TableValue {
  std::string text{};  // without what is copied from the leaf
  bool omega = false;
  double log_prob = 0;  // the Solver was at least so sure of each leaf with this value

  auto operator<=>(const TableValue&) const = default;
};

// Const and thread-safe.
class LeafTable {
 public:
  // The last characters of a leaf but for `skipped` ones: they end the values of a row.
  struct Row {
    std::uint32_t begin = 0;  // in `cells`
    std::uint8_t copied = 0;
    std::uint8_t skipped = 0;

    bool operator==(const Row&) const = default;
  };
  // As a model's file has it.
  struct Parts {
    model::LeafGuard::Table leaves;        // compares whole texts, each byte a class of its own
    std::vector<std::uint8_t> row_begins;  // [states]: 1 where the second part begins
    std::vector<Row> rows;
    std::vector<std::uint16_t> cells;  // numbers of values
    std::vector<TableValue> values;

    bool operator==(const Parts&) const = default;
  };

  // Throws Error (input) unless the parts hold together.
  explicit LeafTable(Parts parts);

  // Null if the leaf is not in the table; else what is said of it, and in `copied` the part of the
  // leaf that ends its value.
  const TableValue* find(std::string_view leaf, std::string_view& copied) const;
  std::size_t size() const { return size_; }
  const Parts& parts() const { return parts_; }
  // [states, classes]: how many rows come before those behind an arc; in a row, how many leaves.
  std::vector<std::uint32_t> skips() const;

  // Leaves in order, without repetition, and what was said of each. Chooses the rows so that the
  // table becomes small. Throws Error (input) if there are too many different values.
  static LeafTable of(const std::vector<std::string>& leaves, const std::vector<TableValue>& said);

 private:
  friend class LeafTableMaker;
  struct Arc {
    std::uint32_t skip = 0;  // leaves, or rows, that come before those behind this arc
    std::uint16_t next = 0;
    std::uint16_t in_row = 0;  // whether the arc is behind the beginning of a row
  };

  void count();
  void number();

  Parts parts_;
  std::vector<std::uint16_t> order_;  // of the states, from the ends of leaves
  std::vector<Arc> arcs_;             // [states, classes]
  std::vector<std::uint64_t> left_;   // [states]: leaves that can still be read
  std::vector<std::uint64_t> rows_;   // [states]: rows
  std::size_t classes_;
  std::size_t size_ = 0;
};

}  // namespace nrs::runtime
