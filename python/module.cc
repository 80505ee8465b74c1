// The library for Python. It only hands over: what an answer is, is in service/; what Python users
// see besides, in python/nrs.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/levels.h"
#include "nrs/nrs.h"
#include "service/answerer.h"
#include "service/models.h"
#include "service/rewrites.h"

namespace nrs::python {
namespace {

namespace py = pybind11;

// After this many formulas Python is asked whether somebody pressed Ctrl-C.
constexpr std::size_t kBatch = 1024;

// A model, shared with its answers.
struct Loaded {
  service::Answerer answerer;
  RunOptions run;

  const model::Model& model() const { return answerer.model()->model(); }
  const Rewriter& rewriter() const { return answerer.model()->rewriter(); }
};
using Shared = std::shared_ptr<Loaded>;

// An answer has no record of its steps, which most callers never ask for: the same formula gives
// the same steps again.
struct PythonAnswer {
  service::Answer answer;
  Shared loaded;

  std::vector<Rewrite> steps() const {
    if (answer.error) return {};
    RunOptions run = loaded->run;
    run.keep_rounds = true;
    const Result result = loaded->rewriter().rewrite(answer.formula, run);
    return service::rewrites_of(answer.formula, result.record);
  }
};

Shared load(const std::filesystem::path& path, int threads, std::optional<double> min_log_prob) {
  const RunOptions run{.min_log_prob = min_log_prob};
  return std::make_shared<Loaded>(
      service::Answerer(architectures::RunningModel::load(path, {.threads = threads}),
                        {.run = run}),
      run);
}

void answer_some(const Shared& loaded, std::span<service::Answer> some) {
  {
    const py::gil_scoped_release others_may_run;
    loaded->answerer.answer(some);
  }
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

std::vector<PythonAnswer> simplify_all(const Shared& loaded, std::vector<std::string> formulas) {
  std::vector<service::Answer> asked(formulas.size());
  for (std::size_t i = 0; i < asked.size(); ++i) asked[i].text = std::move(formulas[i]);
  for (std::size_t from = 0; from < asked.size(); from += kBatch) {
    answer_some(loaded, std::span(asked).subspan(from, std::min(kBatch, asked.size() - from)));
  }
  std::vector<PythonAnswer> answers;
  answers.reserve(asked.size());
  for (service::Answer& answer : asked) answers.push_back({std::move(answer), loaded});
  return answers;
}

PythonAnswer simplify_one(const Shared& loaded, std::string formula) {
  service::Answer asked{.text = std::move(formula)};
  answer_some(loaded, std::span(&asked, 1));
  if (asked.error) throw Error(*asked.error);
  return {std::move(asked), loaded};
}

// A row for each step: how sure the model was of the leaf, and of its value.
py::array_t<double> log_probs(const PythonAnswer& answer) {
  const std::vector<Rewrite> steps = answer.steps();
  py::array_t<double> rows({steps.size(), std::size_t{2}});
  auto cells = rows.mutable_unchecked<2>();
  for (py::ssize_t i = 0; i < cells.shape(0); ++i) {
    cells(i, 0) = steps[static_cast<std::size_t>(i)].selector_log_prob;
    cells(i, 1) = steps[static_cast<std::size_t>(i)].solver_log_prob;
  }
  return rows;
}

std::vector<std::array<std::string, 2>> generate(const std::string& domain, int nesting,
                                                 std::size_t count, std::uint64_t seed, int args) {
  std::vector<std::array<std::string, 2>> formulas;
  data::SeenTexts seen;
  const py::gil_scoped_release others_may_run;
  data::draw_level(
      find_domain(domain),
      {.nesting = nesting, .args_from = args, .args_to = args, .count = count, .seed = seed}, seen,
      [&](const Sample& sample, const Shape&) {
        formulas.push_back({sample.formula, sample.value});
      });
  return formulas;
}

// nrs.Error, with what an Error knows.
py::object python_error(const Error& error) {
  const py::object type = py::module_::import("nrs").attr("Error");
  py::object made = type(error.line());
  made.attr("hint") = error.hint();
  made.attr("offset") = error.offset();
  return made;
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const Error& error) {
    const py::object made = python_error(error);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  }
}

void add_step(py::module_& module) {
  py::class_<Rewrite>(module, "Step")
      .def_readonly("round", &Rewrite::round)
      .def_property_readonly("begin", [](const Rewrite& step) { return step.span.begin; })
      .def_property_readonly("end", [](const Rewrite& step) { return step.span.end; })
      .def_readonly("leaf", &Rewrite::leaf)
      .def_readonly("value", &Rewrite::value)
      .def_readonly("selector_log_prob", &Rewrite::selector_log_prob)
      .def_readonly("solver_log_prob", &Rewrite::solver_log_prob)
      .def_property_readonly("rule", [](const Rewrite& step) { return step.origin.rule; })
      .def_property_readonly("source",
                             [](const Rewrite& step) { return name_of(step.origin.source); })
      .def("__repr__",
           [](const Rewrite& step) { return "<" + step.leaf + " -> " + step.value + ">"; });
}

void add_answer(py::module_& module) {
  py::class_<PythonAnswer>(module, "Answer")
      .def_property_readonly("question", [](const PythonAnswer& self) { return self.answer.text; })
      .def_property_readonly("start", [](const PythonAnswer& self) { return self.answer.formula; })
      .def_property_readonly("ok", [](const PythonAnswer& self) { return self.answer.ok(); })
      .def_property_readonly("value",
                             [](const PythonAnswer& self) -> std::optional<std::string> {
                               if (!self.answer.ok()) return std::nullopt;
                               return self.answer.result.formula;
                             })
      .def_property_readonly("formula",
                             [](const PythonAnswer& self) { return self.answer.result.formula; })
      .def_property_readonly("stop",
                             [](const PythonAnswer& self) -> std::optional<std::string_view> {
                               if (self.answer.error) return std::nullopt;
                               return name_of(self.answer.result.stop);
                             })
      .def_property_readonly("error",
                             [](const PythonAnswer& self) -> py::object {
                               if (!self.answer.error) return py::none();
                               return python_error(*self.answer.error);
                             })
      .def_property_readonly("steps", &PythonAnswer::steps)
      .def_property_readonly("log_probs", &log_probs)
      .def("_repr_html_",
           [](const py::object& self) {
             return py::module_::import("nrs.notebook").attr("derivation")(self);
           })
      .def("__repr__", [](const PythonAnswer& self) {
        if (self.answer.error) return "<error: " + self.answer.error->line() + ">";
        if (self.answer.ok()) return "<" + self.answer.result.formula + ">";
        return "<stopped: " + std::string(name_of(self.answer.result.stop)) + ": " +
               self.answer.result.formula + ">";
      });
}

}  // namespace

PYBIND11_MODULE(_nrs, module) {
  py::register_exception_translator(&translate);
  add_step(module);
  add_answer(module);
  py::class_<Loaded, std::shared_ptr<Loaded>>(module, "Rewriter")
      .def_property_readonly("name", [](const Loaded& self) { return self.model().name; })
      .def_property_readonly("domains", [](const Loaded& self) { return self.model().domains; })
      .def_property_readonly("threshold",
                             [](const Loaded& self) { return self.answerer.threshold(); })
      .def("simplify_one", &simplify_one, py::arg("formula"))
      .def("simplify_all", &simplify_all, py::arg("formulas"));
  module.def("load", &load, py::arg("path"), py::arg("threads"), py::arg("min_log_prob"));
  module.def("find_model", [](const std::string& name) { return service::find_model(name); });
  module.def("model_names", &service::model_names);
  module.def("generate", &generate, py::arg("domain"), py::arg("nesting"), py::arg("count"),
             py::arg("seed"), py::arg("args"));
}

}  // namespace nrs::python
