// The contents of result files: what a command printed, with where it comes from.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "architectures/architecture.h"
#include "base/files.h"
#include "base/lines.h"
#include "eval/origin.h"
#include "nrs/error.h"
#include "reproduce/runner.h"

namespace nrs::lab {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLargestStats = std::size_t{1} << 26;
constexpr std::size_t kLongestLine = std::size_t{1} << 20;
constexpr std::size_t kMostPoints = 80;  // of a training curve

Json parse(const std::string& text, const std::string& place) {
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) throw Error(ErrorKind::kInput, place + ": this is not one JSON object");
  return json;
}

std::string dump(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// What a file says first of a model that was run.
Json of_model(const Task& task, const std::string& program) {
  const model::Model model = model::load_model(task.models.front());
  Json object{{"model", task.model}, {"engine", architectures::architecture_of(model).name()}};
  object["program"] = program;
  object["command"] = task.shown;
  eval::add_model_origin(object, model);
  return object;
}

std::string describe_model(const std::string& output) {
  Json object = parse(output, "nrs info");
  object.erase("file");  // where it lies on this machine
  return dump(object);
}

// Statistics without the groups of equal difficulty, of which there are thousands.
std::string describe_dataset(const Task& task, const std::string& program) {
  Json stats = parse(read_file(task.source, kLargestStats), task.source.string());
  for (auto& [name, domain] : stats["domains"].items()) domain.erase("groups");
  Json object{{"program", program}, {"command", task.shown}, {"seed", stats["seed"]}};
  object["stats"] = std::move(stats);
  return dump(object);
}

std::string describe_trace(const Task& task, const std::string& output,
                           const std::string& program) {
  Json object = of_model(task, program);
  object["derivation"] = parse(output, "nrs simplify");
  return dump(object);
}

// Points evenly spread, the last one always among them.
Json thinned(const Json& points) {
  const std::size_t every =
      std::max<std::size_t>(1, (points.size() + kMostPoints - 1) / kMostPoints);
  Json kept = Json::array();
  const std::size_t first = points.empty() ? 0 : (points.size() - 1) % every;
  for (std::size_t i = first; i < points.size(); i += every) kept.push_back(points[i]);
  return kept;
}

// Whether the end of a training is that of a module as it is in the model now, and not of an older
// or another one under the same name. `nrs join` changes the order of keys.
bool is_of(const model::Model& model, const std::string& module, const Json& event) {
  const nlohmann::json results = nlohmann::json::parse(model.results, nullptr, false);
  if (!results.is_object() || !results.contains(module)) return false;
  return results[module] == nlohmann::json::parse(event.value("results", Json()).dump());
}

std::string describe_training(const Task& task, const std::string& program) {
  const model::Model model = model::load_model(task.models.front());
  Json modules = Json::array();
  std::map<std::string, Json> points;
  LineReader reader(task.source, kLongestLine);
  for (std::string line; reader.next(line);) {
    const Json event = Json::parse(line, nullptr, false);
    if (!event.is_object()) continue;  // the last line of a run that was cut off
    const std::string kind = event.value("event", ""), module = event.value("module", "");
    if (kind == "validation") {
      points[module].push_back({{"step", event.value("step", 0)},
                                {"known", event.value("known", Json())},
                                {"beyond", event.value("beyond", Json())}});
    } else if (kind == "end") {
      const Json its_points = thinned(std::exchange(points[module], Json::array()));
      if (!is_of(model, module, event)) continue;
      modules.push_back({{"module", module},
                         {"steps", event.value("results", Json::object()).value("steps", 0)},
                         {"batch", trained_batch(model.recipe, module)},
                         {"points", its_points}});
    }
  }
  if (modules.empty()) {
    throw Error(ErrorKind::kInput,
                task.source.string() + ": no training of what is now in the model is here");
  }
  Json object = of_model(task, program);
  object["modules"] = std::move(modules);
  return dump(object);
}

// The file that the command has written, with the command as one types it.
std::string describe_ablation(const Task& task) {
  Json result = parse(read_file(task.file, kLargestStats), task.file.string());
  result["command"] = task.shown;
  return dump(result);
}

}  // namespace

std::string result_content(const Task& task, const std::string& output,
                           const std::string& program) {
  switch (task.kind) {
    case TaskKind::kModel:
      return describe_model(output);
    case TaskKind::kDataset:
      return describe_dataset(task, program);
    case TaskKind::kTrace:
      return describe_trace(task, output, program);
    case TaskKind::kTraining:
      return describe_training(task, program);
    case TaskKind::kAblation:
      return describe_ablation(task);
    case TaskKind::kReport:
      return read_file(task.source, kLargestStats);
    default:
      parse(output, "nrs " + task.command.front());
      return output;
  }
}

}  // namespace nrs::lab
