#include "architectures/taught_solver.h"

#include "architectures/two_modules.h"

namespace nrs::architectures {

TaughtSolver::TaughtSolver(const model::Model& model, runtime::AnswerTable table,
                           const RewriterOptions& options) {
  if (model.has(model::kSolverModule)) {
    network_model_ = std::make_unique<const model::SolverModel>(model::solver_of(model));
    network_ =
        std::make_unique<const runtime::ModelSolver>(*network_model_, solver_options(options));
  }
  table_ = std::make_unique<const runtime::TableSolver>(std::move(table), network_.get());
}

std::optional<double> TaughtSolver::threshold() const {
  return network_model_ ? std::optional(network_model_->min_log_prob) : std::nullopt;
}

}  // namespace nrs::architectures
