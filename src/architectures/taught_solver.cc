#include "architectures/taught_solver.h"

#include "architectures/networks.h"
#include "nrs/error.h"

namespace nrs::architectures {

model::IntegerTable tensor_of(const runtime::AnswerTable& table) {
  std::string text;
  for (const auto& [question, answer] : table) {
    text.append(question).append(1, '\t').append(answer).append(1, '\n');
  }
  return {model::Dtype::kU8, {text.size()}, std::move(text)};
}

runtime::AnswerTable table_of(const model::IntegerTable& tensor, const std::string& complaint) {
  const std::vector<std::uint8_t> bytes = tensor.values<std::uint8_t>();
  const std::string all(bytes.begin(), bytes.end());
  runtime::AnswerTable table;
  for (std::string_view text = all; !text.empty();) {
    const std::size_t tab = text.find('\t'), end = text.find('\n');
    if (end == std::string_view::npos || tab > end ||
        !table.emplace(text.substr(0, tab), text.substr(tab + 1, end - tab - 1)).second) {
      throw Error(ErrorKind::kInput, complaint);
    }
    text.remove_prefix(end + 1);
  }
  return table;
}

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
