#include "answers.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <span>
#include <utility>

namespace nrs::python {
namespace {

namespace py = pybind11;

// Formulas and bytes that are worked on together. Then Python is asked whether somebody pressed
// Ctrl-C; with a network this is about a second.
constexpr std::size_t kBatch = 1024;
constexpr std::size_t kBatchBytes = 64 * 1024;

constexpr std::size_t kStops = static_cast<std::size_t>(Stop::kMemoryLimit) + 1;

void answer_some(const Loaded& loaded, std::span<service::Answer> some) {
  {
    const py::gil_scoped_release others_may_run;
    loaded.answerer.answer(some);
  }
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

// How many of these are worked on together: at least one.
std::size_t first_batch(std::span<const service::Answer> asked) {
  std::size_t count = 0, bytes = 0;
  while (count < std::min(kBatch, asked.size()) && bytes < kBatchBytes) {
    bytes += asked[count++].text.size();
  }
  return count;
}

// One number for each answer.
template <class T, class Of>
py::array_t<T> array_of(const std::vector<service::Answer>& answers, Of of) {
  py::array_t<T> numbers(static_cast<py::ssize_t>(answers.size()));
  std::ranges::transform(answers, numbers.mutable_data(),
                         [&](const auto& answer) { return static_cast<T>(of(answer)); });
  return numbers;
}

std::optional<std::string_view> value_of(const service::Answer& answer) {
  if (!answer.ok()) return std::nullopt;
  return answer.result.formula;
}

}  // namespace

Shared load(const std::filesystem::path& path, int threads, std::optional<double> min_log_prob,
            bool literal) {
  const service::Options options{
      .notation = literal ? service::Notation::kModel : service::Notation::kDomain,
      .run = {.min_log_prob = min_log_prob}};
  return std::make_shared<Loaded>(
      service::Answerer(architectures::RunningModel::load(path, {.threads = threads}), options),
      options.run);
}

std::vector<std::string_view> Batch::stop_names() {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kStops; ++i) names.push_back(name_of(static_cast<Stop>(i)));
  return names;
}

py::array_t<std::uint8_t> Batch::stops() const {
  return array_of<std::uint8_t>(answers, [](const service::Answer& answer) {
    return answer.error ? kStops : static_cast<std::size_t>(answer.result.stop);
  });
}

py::array_t<std::int64_t> Batch::rewrites() const {
  return array_of<std::int64_t>(answers,
                                [](const service::Answer& answer) { return answer.result.steps; });
}

py::list Batch::values() const {
  py::list values(answers.size());
  for (std::size_t i = 0; i < answers.size(); ++i) values[i] = py::cast(value_of(answers[i]));
  return values;
}

std::optional<std::string_view> PythonAnswer::value() const {
  return value_of(get());
}

std::vector<Rewrite> PythonAnswer::steps() const {
  if (get().error) return {};
  const py::gil_scoped_release others_may_run;
  RunOptions run = batch->loaded->run;
  run.keep_rounds = true;
  const Result result = batch->loaded->rewriter().rewrite(get().formula, run);
  return service::rewrites_of(get().formula, result.record);
}

py::array_t<double> PythonAnswer::log_probs() const {
  const std::vector<Rewrite> steps = this->steps();
  py::array_t<double> rows({steps.size(), std::size_t{2}});
  double* cell = rows.mutable_data();
  for (const Rewrite& step : steps) {
    *cell++ = step.selector_log_prob;
    *cell++ = step.solver_log_prob;
  }
  return rows;
}

std::shared_ptr<Batch> simplify_all(const Shared& loaded, std::vector<std::string> formulas) {
  auto batch = std::make_shared<Batch>(std::vector<service::Answer>(formulas.size()), loaded);
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    batch->answers[i].text = std::move(formulas[i]);
  }
  for (std::span left(batch->answers); !left.empty();) {
    const std::size_t count = first_batch(left);
    answer_some(*loaded, left.first(count));
    left = left.subspan(count);
  }
  return batch;
}

PythonAnswer simplify_one(const Shared& loaded, std::string formula) {
  auto batch = std::make_shared<Batch>(std::vector<service::Answer>(1), loaded);
  batch->answers.front().text = std::move(formula);
  answer_some(*loaded, batch->answers);
  if (const auto& error = batch->answers.front().error) throw Error(*error);
  return {std::move(batch), 0};
}

}  // namespace nrs::python
