#include "model/join.h"

#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>
#include <vector>

#include "model/json_config.h"
#include "nrs/error.h"

namespace nrs::model {
namespace {

// A table of a recipe: its heading (empty at the top) and its text, the heading included.
struct Section {
  std::string heading;
  std::string text;

  bool of_selector() const {
    return heading == "[selector]" || heading.starts_with("[selector.") ||
           heading == "[train.selector]";
  }
};

std::vector<Section> sections_of(const std::string& recipe) {
  std::vector<Section> sections(1);
  std::istringstream lines(recipe);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('[')) sections.push_back({line.substr(0, line.find(']') + 1), {}});
    sections.back().text += line + '\n';
  }
  return sections;
}

// The recipe of the Solver, with what it says of Selectors taken from the other.
std::string joined_recipe(const std::string& selector, const std::string& solver) {
  std::string joined;
  for (const auto& [recipe, wanted] : {std::pair{&solver, false}, std::pair{&selector, true}}) {
    for (const Section& section : sections_of(*recipe)) {
      if (section.of_selector() == wanted) joined += section.text;
    }
  }
  return joined;
}

std::string joined_results(const Model& selector, const Model& solver) {
  nlohmann::json joined = nlohmann::json::object();
  for (const auto& [model, key] :
       {std::pair{&selector, "selector"}, std::pair{&solver, "solver"}}) {
    const nlohmann::json results = parse_json(model->results, "results");
    if (results.contains(key)) joined[key] = results[key];
  }
  return joined.dump();
}

}  // namespace

Model join_models(const Model& selector, const Model& solver, const std::string& name) {
  Model joined = solver;
  joined.modules = {{"selector", selector.module("selector")}, {"solver", solver.module("solver")}};
  joined.shared.clear();
  joined.name = name;
  joined.recipe = joined_recipe(selector.recipe, solver.recipe);
  joined.results = joined_results(selector, solver);
  joined.certificate.reset();
  return joined;
}

void share_module(Model& model, const std::string& module, const std::filesystem::path& from,
                  const std::filesystem::path& out) {
  namespace fs = std::filesystem;
  if (fs::absolute(from).lexically_normal().parent_path() !=
      fs::absolute(out).lexically_normal().parent_path()) {
    throw Error(ErrorKind::kUsage,
                out.string() + ": a model can share modules of its own folder only",
                "write it beside " + from.string());
  }
  model.shared[module] = {.file = from.filename().string(),
                          .checksum = module_checksum(module, model.module(module))};
}

}  // namespace nrs::model
