#pragma once
// A compiled model: the automata of its Selector and the table of its Solver. What they do not know
// is asked of the networks that they were made of, if the model has kept them.
#include <optional>
#include <string>
#include <vector>

#include "model/model_file.h"
#include "runtime/marked_run.h"

namespace nrs::architectures {

inline constexpr std::string_view kCompiledArchitecture = "compiled";
inline constexpr std::string_view kMarksModule = "marks";
inline constexpr std::string_view kValuesModule = "values";

struct CompiledModel {
  runtime::MarkedParts parts;
  bool complete = false;            // no other leaf than those of the table has a value
  std::vector<std::string> tokens;  // single characters that formulas consist of
  std::size_t reach = 0;            // of the Selector that was compiled
  bool last_leaf = false;           // it finds the last leaf only
  std::optional<double> min_log_prob{};
};

// Puts both modules into a model. Law: compiled_model_of() gives the same again.
void store(const CompiledModel& compiled, model::Model& model);
// Throws Error (input) if a module is missing or does not hold together.
CompiledModel compiled_model_of(const model::Model& model);

}  // namespace nrs::architectures
