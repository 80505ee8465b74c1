// The library: nrs/nrs.h.
#include "nrs/nrs.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "service/answerer.h"

namespace nrs {
namespace {

// Formulas that go through the engine together: more fill the matrix products no better.
constexpr std::size_t kBatch = 1024;

}  // namespace

struct Simplifier::Loaded {
  service::Answerer answerer;
  bool steps;

  std::vector<Answer> answer(std::span<const std::string> formulas) const {
    std::vector<service::Answer> asked(formulas.size());
    for (std::size_t i = 0; i < formulas.size(); ++i) asked[i].text = formulas[i];
    answerer.answer(asked);
    std::vector<Answer> answers(asked.size());
    for (std::size_t i = 0; i < asked.size(); ++i) {
      Result& result = asked[i].result;
      if (steps) answers[i].steps = service::rewrites_of(asked[i].formula, result.record);
      answers[i].formula = std::move(result.formula);
      answers[i].stop = result.stop;
      answers[i].error = std::move(asked[i].error);
    }
    return answers;
  }
};

Simplifier::Simplifier(const std::filesystem::path& model, SimplifierOptions options)
    : loaded_(new Loaded{
          service::Answerer(
              architectures::RunningModel::load(model, {.threads = options.threads}),
              {.notation = service::Notation::kModel,
               .run = {.min_log_prob = options.min_log_prob, .keep_rounds = options.steps}}),
          options.steps}) {}

Simplifier::~Simplifier() = default;
Simplifier::Simplifier(Simplifier&&) noexcept = default;
Simplifier& Simplifier::operator=(Simplifier&&) noexcept = default;

Answer Simplifier::simplify(std::string_view formula) const {
  const std::string text(formula);
  Answer answer = std::move(loaded_->answer(std::span(&text, 1)).front());
  if (answer.error) throw Error(*answer.error);
  return answer;
}

std::vector<Answer> Simplifier::simplify(std::span<const std::string> formulas) const {
  std::vector<Answer> answers = simplify_each(formulas);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].error) throw answers[i].error->in("formula " + std::to_string(i + 1));
  }
  return answers;
}

std::vector<Answer> Simplifier::simplify_each(std::span<const std::string> formulas) const {
  std::vector<Answer> answers;
  for (std::size_t from = 0; from < formulas.size(); from += kBatch) {
    std::vector<Answer> some =
        loaded_->answer(formulas.subspan(from, std::min(kBatch, formulas.size() - from)));
    std::move(some.begin(), some.end(), std::back_inserter(answers));
  }
  return answers;
}

void Simplifier::check(std::string_view formula) const {
  loaded_->answerer.check(formula);
}

const std::string& Simplifier::model_name() const {
  return loaded_->answerer.model()->model().name;
}
double Simplifier::min_log_prob() const {
  return loaded_->answerer.threshold().value_or(-std::numeric_limits<double>::infinity());
}

}  // namespace nrs
