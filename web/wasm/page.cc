// What the page calls: a model from the bytes of its file, and its answers as JSON.
//
// Texts go in as bytes with their number. What comes out ends in NUL and is valid until the next
// call; a fault is {"error":{"message":...,"hint":...}} in its place.
#include <emscripten/emscripten.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "architectures/compiled_model.h"
#include "architectures/rule_model.h"
#include "base/files.h"
#include "cli/learn.h"
#include "compile/table_rules.h"
#include "service/answerer.h"
#include "term/notation.h"
#include "term/write_rules.h"

namespace nrs::web {
namespace {

using Json = nlohmann::ordered_json;
using service::Answer;
using service::Answerer;

// A derivation that takes more characters than this is not shown: nobody reads it.
constexpr std::size_t kMostShown = std::size_t{1} << 23;

std::map<int, Answerer>& models() {
  static std::map<int, Answerer> all;
  return all;
}

std::string show(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string show(const Error& error) {
  return service::to_json(Answer{.text = "", .error = error}, {});
}

const model::Model& model_of(int id) {
  return models().at(id).model()->model();
}

// What was learnt, as far as it can be read.
std::string rules_of(const model::Model& model) {
  if (model.has(architectures::kRulesModule)) {
    return term::write_rules(architectures::rule_set_of(model), term::RuleFormat::kText);
  }
  if (model.has(architectures::kValuesModule)) {
    return compile::to_text(compile::rules_of(architectures::compiled_model_of(model).parts.table));
  }
  return {};
}

// What `nrs info` tells of its modules.
Json summary(const architectures::RunningModel& running) {
  Json lines = Json::array();
  for (const architectures::InfoLine& line : running.architecture().summary(running.model())) {
    if (line.heading.empty() && !lines.empty()) {
      lines.back()["text"] = lines.back()["text"].get<std::string>() + "\n" + line.text;
    } else {
      lines.push_back({{"heading", line.heading}, {"text", line.text}});
    }
  }
  return lines;
}

std::string load(std::string_view bytes) {
  static int last = 0;
  architectures::RunningModel running(
      model::parse_model(model::TensorFile::parse(std::string(bytes), "the model"), "."));
  const model::Model& model = running.model();
  Json told = {{"id", ++last},
               {"name", model.name},
               {"architecture", running.architecture().name()},
               {"purpose", running.architecture().purpose()},
               {"domains", model.domains},
               {"parameters", model::count_parameters(model)},
               {"terms", model.has(architectures::kRulesModule)},
               {"summary", summary(running)}};
  models().try_emplace(last, std::move(running), service::Options{});
  return show(told);
}

std::string simplify(const Answerer& answerer, Answer& answer, bool trace) {
  const service::Style style{.trace = trace, .threshold = answerer.threshold()};
  return answerer.answer({&answer, 1}, /*threads=*/1,
                         [&](const Answer& one, std::string& text) {
                           service::add_json(one, style, text);
                           text += '\n';
                         },
                         {.keep_rounds = trace});
}

// The derivation is told if it is short enough; else only the result.
std::string simplify(const Answerer& answerer, std::string_view formula) {
  Answer answer{.text = std::string(formula)}, with_trace = answer;
  const std::string text = simplify(answerer, answer, /*trace=*/false);
  const std::size_t longest = std::max(answer.formula.size(), answer.result.formula.size());
  const bool shown = !answer.error && (answer.result.rounds + 1) * longest <= kMostShown;
  return shown ? simplify(answerer, with_trace, /*trace=*/true) : text;
}

// The symbols of a term behind their arguments, each with their number and its place in the text.
std::string symbols(const model::Model& model, std::string_view text) {
  Json list = Json::array();
  term::Terms terms;
  const term::Resolve resolve = term::any_symbol(terms);
  term::read_term(terms, text, architectures::rules_of(model).notation,
                  [&](const term::Token& name, std::size_t arity) {
                    list.push_back({name.text, arity, name.offset});
                    return resolve(name, arity);
                  });
  return show(list);
}

// Learns from examples as `nrs learn` does, but without a Solver: what has to be computed is known
// as far as it was taught. What it says goes to standard output.
std::string learn(std::string_view examples, std::string name, std::string kind) {
  static std::string model;
  const std::string folder = "/tmp/", out = folder + name + ".nrs";
  const cli::LearnOptions options{.examples = folder + name + ".txt",
                                  .more = "",
                                  .out = out,
                                  .kind = std::move(kind),
                                  .architecture = "",
                                  .minutes = 0,
                                  .threads = 1};
  std::ofstream(options.examples, std::ios::binary) << examples;
  cli::learn(options);
  std::fflush(stdout);
  model = read_file(out, model::kMaxFileSize);
  return show({{"at", reinterpret_cast<std::uintptr_t>(model.data())}, {"size", model.size()}});
}

// Nothing that is thrown may reach the page.
template <class Work>
const char* guarded(const Work& work) {
  static std::string text;
  try {
    text = work();
  } catch (const Error& error) {
    text = show(error);
  } catch (const std::bad_alloc&) {
    text = show(Error(ErrorKind::kInput, "there is not enough memory for this"));
  } catch (const std::exception& error) {
    text = show(Error(ErrorKind::kIo, error.what()));
  }
  return text.c_str();
}

}  // namespace
}  // namespace nrs::web

extern "C" {

EMSCRIPTEN_KEEPALIVE const char* nrs_load(const char* bytes, std::size_t size) {
  return nrs::web::guarded([&] { return nrs::web::load({bytes, size}); });
}

// A file beside the models, for those that share modules with it.
EMSCRIPTEN_KEEPALIVE void nrs_put(const char* name, const char* bytes, std::size_t size) {
  std::ofstream(name, std::ios::binary).write(bytes, static_cast<std::streamsize>(size));
}

EMSCRIPTEN_KEEPALIVE const char* nrs_simplify(int id, const char* formula, std::size_t size) {
  return nrs::web::guarded([&] {
    return nrs::web::simplify(nrs::web::models().at(id), {formula, size});
  });
}

EMSCRIPTEN_KEEPALIVE const char* nrs_symbols(int id, const char* formula, std::size_t size) {
  return nrs::web::guarded([&] {
    return nrs::web::symbols(nrs::web::model_of(id), {formula, size});
  });
}

EMSCRIPTEN_KEEPALIVE const char* nrs_rules(int id) {
  return nrs::web::guarded([&] {
    return nrs::web::show({{"rules", nrs::web::rules_of(nrs::web::model_of(id))}});
  });
}

EMSCRIPTEN_KEEPALIVE const char* nrs_learn(const char* examples, std::size_t size, const char* name,
                                           const char* kind) {
  return nrs::web::guarded([&] { return nrs::web::learn({examples, size}, name, kind); });
}

EMSCRIPTEN_KEEPALIVE void nrs_forget(int id) {
  nrs::web::models().erase(id);
}
}
