#pragma once
// What a Solver learns: texts and their values, a million of them in little memory.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"

namespace nrs::learn {

// A list of (leaf, value) and (final formula, omega) pairs. Every pair belongs to a group of about
// equal difficulty; group kFinalGroup has the final formulas.
class PairList {
 public:
  static constexpr int kFinalGroup = 0;

  void add(std::string_view text, std::string_view value, int group);
  void add_final(std::string_view text) { add(text, {}, kFinalGroup); }

  std::size_t size() const { return rows_.size(); }
  std::string_view text(std::size_t i) const { return part(rows_[i].begin, rows_[i].text); }
  // Empty when the answer is omega.
  std::string_view value(std::size_t i) const {
    return part(rows_[i].begin + rows_[i].text, rows_[i].value);
  }
  bool omega(std::size_t i) const { return rows_[i].group == kFinalGroup; }
  int group(std::size_t i) const { return rows_[i].group; }

  // The pairs with these numbers, in this order.
  PairList pick(const std::vector<std::size_t>& numbers) const;
  PairList shuffled(Rng& rng) const;
  // Appends another list, its groups (but the final one) counted on from `first_group`. Returns the
  // first group that is free after it.
  int append(const PairList& other, int first_group);

 private:
  struct Row {
    std::uint64_t begin;
    std::uint32_t text;
    std::uint32_t value;
    int group;
  };
  std::string_view part(std::size_t begin, std::size_t size) const {
    return std::string_view(characters_).substr(begin, size);
  }

  std::string characters_;
  std::vector<Row> rows_;
};

}  // namespace nrs::learn
