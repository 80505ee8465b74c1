#pragma once
// The Solver of a model that was taught by examples: a table of what they showed, and a network, if
// the model has one, for the rest.
#include <memory>
#include <optional>
#include <string>

#include "architectures/architecture.h"
#include "model/networks.h"
#include "runtime/solver.h"
#include "runtime/table_solver.h"

namespace nrs::architectures {

// What the examples showed, as a module has it: lines of a question, a tab and its answer. Neither
// has one in it.
model::IntegerTable tensor_of(const runtime::AnswerTable& table);
// Throws Error (input) with this complaint if it is anything else.
runtime::AnswerTable table_of(const model::IntegerTable& tensor, const std::string& complaint);

class TaughtSolver final : public Solver {
 public:
  TaughtSolver(const model::Model& model, runtime::AnswerTable table,
               const RewriterOptions& options);

  std::vector<Solution> solve(std::span<const std::string_view> leaves) const override {
    return table_->solve(leaves);
  }
  // The joint log-probability below which a value of the network is not used.
  std::optional<double> threshold() const;

 private:
  std::unique_ptr<const model::SolverModel> network_model_;
  std::unique_ptr<const runtime::ModelSolver> network_;
  std::unique_ptr<const runtime::TableSolver> table_;
};

}  // namespace nrs::architectures
