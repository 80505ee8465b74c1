#pragma once
// A model of a text system: patterns that say what a leaf is, a table of values, and a Solver for
// leaves that are in no table.
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/model_file.h"
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

// Law: pattern_model_of() of a model with what to_module() gives is the same again.
model::Module to_module(const PatternModel& patterns);
// Throws Error (input) if the model has no such module, or it does not hold together.
PatternModel pattern_model_of(const model::Model& model);

}  // namespace nrs::architectures
