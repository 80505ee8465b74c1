#pragma once
// A model of a text system: patterns that say what a leaf is, a table of values, and a Solver for
// leaves that are in no table.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/model_file.h"
#include "rewrite/limits.h"
#include "runtime/table_solver.h"
#include "text/patterns.h"

namespace nrs::architectures {

inline constexpr std::string_view kPatternsArchitecture = "patterns";
inline constexpr std::string_view kPatternsModule = "patterns";

struct PatternModel {
  text::PatternSet set;
  runtime::AnswerTable table;
  bool erases = false;  // a value may be empty
  // What the examples say for each pattern: rewrites and different leaves.
  struct Support {
    std::uint64_t rewrites = 0;
    std::uint64_t leaves = 0;

    bool operator==(const Support&) const = default;
  };
  std::vector<Support> support{};

  bool operator==(const PatternModel&) const = default;
};

rewrite::Habits habits_of(const PatternModel& model);
// The leaves that the model can solve without a network, spelt as its table spells them, and its
// final texts: those of the table, and all that can be made of values where a pattern copies one.
// Nothing if there are too many, or if final texts have any length. `complete` tells whether there
// are no others.
std::optional<std::vector<std::string>> solvable_leaves(const PatternModel& model, bool& complete);

// Law: pattern_model_of() of a model with what to_module() gives is the same again.
model::Module to_module(const PatternModel& patterns);
// Throws Error (input) if the model has no such module, or it does not hold together.
PatternModel pattern_model_of(const model::Model& model);

}  // namespace nrs::architectures
