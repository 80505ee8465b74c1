#pragma once
// A table of leaves, summarised as rules: leaves of one shape whose values are always the same, or
// one of their parts.
#include <cstddef>
#include <string>
#include <vector>

#include "runtime/leaf_table.h"

namespace nrs::compile {

struct TableRule {
  std::string left;                     // "(x&T)"; x, y, ... stand for any final text
  std::string right;                    // "x"; empty: the values follow no rule, they are computed
  std::size_t leaves = 0;               // of this form
  std::size_t covered = 0;              // of these: that no rule before it is about
  std::size_t values = 0;               // different ones, if they are computed
  std::vector<std::string> examples{};  // of computed values: "(1+2) -> 3"
  std::size_t exceptions = 0;           // leaves of this form that have another value
  std::vector<std::string> some_exceptions{};
};

// Every leaf of the table is of the form of a rule. The rules of a shape that cover most leaves
// come first.
std::vector<TableRule> rules_of(const runtime::LeafTable& table);

// One rule per line, with counts and exceptions.
std::string to_text(const std::vector<TableRule>& rules);

}  // namespace nrs::compile
