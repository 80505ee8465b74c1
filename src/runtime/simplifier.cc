// The public face of the runtime: nrs/nrs.h.
#include "nrs/nrs.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "runtime/running_model.h"

namespace nrs {
namespace {

// Formulas that go through the engine together: more fill the matrix products no better.
constexpr std::size_t kBatch = 1024;

std::vector<Rewrite> rewrites_of(std::string_view formula, const std::vector<Round>& record) {
  std::vector<Rewrite> steps;
  const std::vector<std::string> formulas = replay(formula, record);
  for (std::size_t round = 0; round + 1 < formulas.size(); ++round) {
    for (const Attempt& attempt : record[round]) {
      if (!attempt.applied) continue;
      steps.push_back({.round = round,
                       .span = attempt.step.leaf,
                       .leaf = std::string(attempt.step.leaf.of(formulas[round])),
                       .value = attempt.step.value,
                       .selector_log_prob = attempt.selector_log_prob,
                       .solver_log_prob = attempt.solver_log_prob});
    }
  }
  return steps;
}

}  // namespace

struct Simplifier::Loaded {
  RunningModel model;
  RunOptions engine;

  std::vector<Answer> run(std::span<const std::string_view> formulas) const {
    std::vector<Result> results = model.run(formulas, engine);
    std::vector<Answer> answers(results.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (engine.keep_rounds) answers[i].steps = rewrites_of(formulas[i], results[i].record);
      answers[i].formula = std::move(results[i].formula);
      answers[i].stop = results[i].stop;
    }
    return answers;
  }
};

Simplifier::Simplifier(const std::filesystem::path& model, SimplifierOptions options)
    : loaded_(new Loaded{RunningModel::load(model, options.threads), {}}) {
  loaded_->engine = loaded_->model.calibrated({.keep_rounds = options.steps});
  if (options.min_log_prob) loaded_->engine.min_log_prob = *options.min_log_prob;
}

Simplifier::~Simplifier() = default;
Simplifier::Simplifier(Simplifier&&) noexcept = default;
Simplifier& Simplifier::operator=(Simplifier&&) noexcept = default;

Answer Simplifier::simplify(std::string_view formula) const {
  check(formula);
  return std::move(loaded_->run(std::span(&formula, 1)).front());
}

std::vector<Answer> Simplifier::simplify(std::span<const std::string> formulas) const {
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    try {
      check(formulas[i]);
    } catch (const Error& error) {
      throw error.in("formula " + std::to_string(i + 1));
    }
  }
  const std::vector<std::string_view> views(formulas.begin(), formulas.end());
  std::vector<Answer> answers;
  for (std::size_t from = 0; from < views.size(); from += kBatch) {
    const auto batch = std::span(views).subspan(from, std::min(kBatch, views.size() - from));
    std::vector<Answer> some = loaded_->run(batch);
    std::move(some.begin(), some.end(), std::back_inserter(answers));
  }
  return answers;
}

void Simplifier::check(std::string_view formula) const {
  if (formula.empty()) throw Error::at(0, "there is no formula");
  if (formula.size() > kMaxFormulaLength) throw formula_too_long();
  loaded_->model.check_known(formula);
}

const std::string& Simplifier::model_name() const {
  return loaded_->model.model().name;
}
double Simplifier::min_log_prob() const {
  return *loaded_->engine.min_log_prob;
}

}  // namespace nrs
