#pragma once
// Turns a Solver into a table of leaves.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compile/compile_selector.h"
#include "nrs/modules.h"
#include "runtime/leaf_table.h"

namespace nrs::compile {

struct SolverRequest {
  const Solver* solver = nullptr;   // asked from several threads at once
  std::vector<std::string> leaves;  // in order, without repetition
  double min_log_prob = 0;
  int threads = 1;
  std::function<bool(const std::string& what)> progress;  // as in SelectorRequest
};

struct CompiledSolver {
  runtime::LeafTable table;
  std::size_t unsure = 0;  // leaves whose value is not sure enough to be used
};

// Each leaf is solved once. Law: the table gives the Solver's values. There are two classes of
// confidence, above the threshold and below: each leaf gets the lowest confidence of any leaf in
// its class. Throws Error (input) if the table would be too large.
CompiledSolver compile_solver(const SolverRequest& request);

}  // namespace nrs::compile
