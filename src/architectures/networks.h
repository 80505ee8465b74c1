#pragma once
// What is said of the networks in a model: a Selector, which finds leaves, and a Solver. Either may
// be missing in a file while the other is trained alone.
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "architectures/architecture.h"
#include "runtime/solver.h"

namespace nrs::architectures {

nlohmann::ordered_json describe_networks(const model::Model& model);
// Nothing without one.
std::vector<InfoLine> summarise_solver(const model::Model& model);

runtime::SolverOptions solver_options(const RewriterOptions& options);

}  // namespace nrs::architectures
