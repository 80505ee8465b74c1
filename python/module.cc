// The library for Python. It only hands over: what Python users see besides is in python/nrs.
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <utility>

#include "answers.h"
#include "data/distinct.h"
#include "service/card.h"
#include "service/models.h"

namespace nrs::python {
namespace {

namespace py = pybind11;

std::vector<std::pair<std::string, std::string>> generate(const std::string& domain, int nesting,
                                                          std::size_t count, std::uint64_t seed,
                                                          int args) {
  std::vector<std::pair<std::string, std::string>> formulas;
  data::SeenTexts seen;
  const py::gil_scoped_release others_may_run;
  data::draw_level(
      find_domain(domain),
      {.nesting = nesting, .args_from = args, .args_to = args, .count = count, .seed = seed}, seen,
      [&](const Sample& sample, const Shape&) {
        formulas.emplace_back(sample.formula, sample.value);
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

py::object error_of(const PythonAnswer& self) {
  return self.get().error ? python_error(*self.get().error) : py::none();
}

std::optional<std::string_view> stop_of(const PythonAnswer& self) {
  if (self.get().error) return std::nullopt;
  return name_of(self.get().result.stop);
}

std::string show(const PythonAnswer& self) {
  const service::Answer& answer = self.get();
  if (answer.error) return "<error: " + answer.error->line() + ">";
  if (answer.ok()) return "<" + answer.result.formula + ">";
  return "<stopped: " + std::string(name_of(answer.result.stop)) + ": " + answer.result.formula +
         ">";
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
  using Self = const PythonAnswer&;
  py::class_<PythonAnswer>(module, "Answer")
      .def_property_readonly("question", [](Self self) { return self.get().text; })
      .def_property_readonly("start", [](Self self) { return self.get().formula; })
      .def_property_readonly("ok", [](Self self) { return self.get().ok(); })
      .def_property_readonly("value", &PythonAnswer::value)
      .def_property_readonly("formula", [](Self self) { return self.get().result.formula; })
      .def_property_readonly("stop", &stop_of)
      .def_property_readonly("error", &error_of)
      .def_property_readonly("rounds", [](Self self) { return self.get().result.rounds; })
      .def_property_readonly("steps", &PythonAnswer::steps)
      .def_property_readonly("log_probs", &PythonAnswer::log_probs)
      .def("_repr_html_",
           [](const py::object& self) {
             return py::module_::import("nrs.notebook").attr("derivation")(self);
           })
      .def("__repr__", &show);
}

void add_batch(py::module_& module) {
  py::class_<Batch, std::shared_ptr<Batch>>(module, "Batch")
      .def("__len__", [](const Batch& self) { return self.answers.size(); })
      .def_property_readonly("stops", &Batch::stops)
      .def_property_readonly("rewrites", &Batch::rewrites)
      .def_property_readonly("values", &Batch::values)
      .def(
          "answer",
          [](std::shared_ptr<const Batch> self, std::size_t number) {
            if (number >= self->answers.size()) throw py::index_error();
            return PythonAnswer{std::move(self), number};
          },
          py::arg("number"));
}

void add_rewriter(py::module_& module) {
  py::class_<Loaded, Shared>(module, "Rewriter")
      .def_property_readonly("name", [](const Loaded& self) { return self.model().name; })
      .def_property_readonly("domains", [](const Loaded& self) { return self.model().domains; })
      .def_property_readonly("threshold",
                             [](const Loaded& self) { return self.answerer.threshold(); })
      .def(
          "card",
          [](const Loaded& self, const std::filesystem::path& file, const std::string& license) {
            return service::model_card(file, self.model(),
                                       {.called = file.filename().string(), .license = license});
          },
          py::arg("file"), py::arg("license"))
      .def("simplify_one", &simplify_one, py::arg("formula"))
      .def("simplify_all", &simplify_all, py::arg("formulas"));
}

}  // namespace

PYBIND11_MODULE(_nrs, module) {
  py::register_exception_translator(&translate);
  add_step(module);
  add_answer(module);
  add_batch(module);
  add_rewriter(module);
  module.def("stop_names", &Batch::stop_names);
  module.def("load", &load, py::arg("path"), py::arg("threads"), py::arg("min_log_prob"),
             py::arg("literal"));
  module.attr("DEFAULT_MODEL") = service::kDefaultModel;
  module.def("find_model", [](const std::string& name) { return service::find_model(name); });
  module.def("model_names", &service::model_names);
  module.def("generate", &generate, py::arg("domain"), py::arg("nesting"), py::arg("count"),
             py::arg("seed"), py::arg("args"));
}

}  // namespace nrs::python
