#pragma once
// Models and answers as the Python module hands them over. What an answer is, is in service/.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nrs/nrs.h"
#include "service/answerer.h"

namespace nrs::python {

// A model, shared with its answers.
struct Loaded {
  service::Answerer answerer;
  RunOptions run;

  const model::Model& model() const { return answerer.model()->model(); }
  const Rewriter& rewriter() const { return answerer.model()->rewriter(); }
};
using Shared = std::shared_ptr<Loaded>;

// `literal`: formulas are in the notation of the model, as the library takes them.
Shared load(const std::filesystem::path& path, int threads, std::optional<double> min_log_prob,
            bool literal);

// The answers of one call. Python sees one of them only when it looks at it: an object for each
// would take longer than a compiled model.
struct Batch {
  std::vector<service::Answer> answers;
  Shared loaded;

  // The names of the stops below.
  static std::vector<std::string_view> stop_names();
  // The number of its stop for each answer, and one more for what could not be read.
  pybind11::array_t<std::uint8_t> stops() const;
  pybind11::array_t<std::int64_t> rewrites() const;
  // None for what has no answer.
  pybind11::list values() const;
};

struct PythonAnswer {
  std::shared_ptr<const Batch> batch;
  std::size_t number;

  const service::Answer& get() const { return batch->answers[number]; }
  std::optional<std::string_view> value() const;
  // Steps are not kept, since most callers never ask: the same formula gives the same ones again.
  std::vector<Rewrite> steps() const;
  // A row for each step: how sure the model was of the leaf, and of its value.
  pybind11::array_t<double> log_probs() const;
};

// A bad formula has the error in its answer. Others may run meanwhile, and Ctrl-C ends it soon.
std::shared_ptr<Batch> simplify_all(const Shared& loaded, std::vector<std::string> formulas);
// Throws Error for a bad formula.
PythonAnswer simplify_one(const Shared& loaded, std::string formula);

}  // namespace nrs::python
