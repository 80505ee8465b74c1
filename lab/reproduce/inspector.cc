#include "reproduce/inspector.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/files.h"
#include "model/model_file.h"
#include "model/training_files.h"
#include "nrs/error.h"
#include "reproduce/release.h"
#include "study/ablation.h"

namespace nrs::lab {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kLargestResult = std::size_t{1} << 28;

// Nothing if the file is not there, or not whole: then it is made again.
Json read_json(const fs::path& file) {
  try {
    return Json::parse(read_file(file, kLargestResult), nullptr, false);
  } catch (const Error&) {
    return Json(Json::value_t::discarded);
  }
}

std::string text_of(const Json& object, const char* name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// Threads change how long it took, and nothing else.
bool same_command(const std::string& made_by, const std::string& planned) {
  return made_by == planned || made_by.starts_with(planned + " --threads ");
}

bool same_content(const fs::path& a, const fs::path& b) {
  return fs::exists(a) && fs::exists(b) &&
         read_file(a, kLargestResult) == read_file(b, kLargestResult);
}

// Whether no file of the folder is newer.
bool newest(const fs::path& file, const fs::path& folder) {
  const fs::file_time_type written = fs::last_write_time(file);
  std::error_code code;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, code)) {
    if (entry.is_regular_file() && entry.last_write_time() > written) return false;
  }
  return true;
}

TaskState done_if(bool done) {
  return done ? TaskState::kComplete : TaskState::kStale;
}

}  // namespace

std::string_view name_of(TaskState state) {
  switch (state) {
    case TaskState::kComplete:
      return "done";
    case TaskState::kOutstanding:
      return "outstanding";
    case TaskState::kStale:
      return "stale";
  }
  return "";
}

fs::path model_record_path(const fs::path& model) {
  return model.string() + ".made.json";
}

std::optional<std::string> Inspector::checksum(const fs::path& model) {
  std::error_code code;
  const fs::file_time_type written = fs::last_write_time(model, code);
  if (code) return std::nullopt;
  const auto found = known_.find(model);
  if (found != known_.end() && found->second.written == written) return found->second.checksum;
  std::string sum = model::model_checksum(model::load_model(model));
  known_[model] = {written, sum};
  return sum;
}

Json Inspector::model_record(const Task& task) {
  Json record{{"command", task.shown}};
  if (!task.source.empty()) record["recipe"] = recipe_checksum(task.source);
  Json& parts = record["models"] = Json::array();
  for (const fs::path& model : task.models) parts.push_back(checksum(model).value_or(""));
  return record;
}

TaskState Inspector::state_of_model(const Task& task) {
  if (!fs::exists(task.file)) return TaskState::kOutstanding;
  const Json record = read_json(model_record_path(task.file));
  if (!record.is_object()) {
    throw Error(ErrorKind::kUsage, task.file.string() + " was not made by nrs reproduce",
                "choose another folder, or move the file away");
  }
  if (record != model_record(task)) return TaskState::kStale;
  return model::can_resume(task.file) ? TaskState::kOutstanding : TaskState::kComplete;
}

TaskState Inspector::state_of_result(const Task& task) {
  const Json result = read_json(task.file);
  if (!result.is_object()) return TaskState::kOutstanding;
  // What `nrs info` prints is the model's own description, and names no command.
  const bool described = task.kind == TaskKind::kModel;
  if (!described && !same_command(text_of(result, "command"), task.shown)) {
    return TaskState::kStale;
  }
  if (task.models.empty()) return TaskState::kComplete;
  const std::optional<std::string> sum = checksum(task.models.front());
  return done_if(sum && text_of(result, described ? "checksum" : "model_checksum") == *sum);
}

TaskState Inspector::state_of_ablation(const Task& task) {
  const Json result = read_json(task.file);
  if (!result.is_object()) return TaskState::kOutstanding;
  return done_if(text_of(result, "study_checksum") == study_checksum(task.source));
}

TaskState Inspector::state(const Task& task) {
  if (task.kind == TaskKind::kTrain) return state_of_model(task);
  if (task.kind == TaskKind::kAblation) return state_of_ablation(task);
  if (task.kind != TaskKind::kReport) return state_of_result(task);
  if (!fs::exists(task.file)) return TaskState::kOutstanding;
  return done_if(task.command.empty() ? same_content(task.file, task.source)
                                      : newest(task.file, task.source));
}

std::vector<TaskState> Inspector::states(const std::vector<Task>& plan) {
  std::vector<TaskState> all;
  std::set<std::string> open;
  for (const Task& task : plan) {
    TaskState state = this->state(task);
    const bool waits = std::any_of(task.needs.begin(), task.needs.end(),
                                   [&](const std::string& need) { return open.contains(need); });
    // A report shows everything, so anything new makes it old.
    const bool outdated = waits || (task.kind == TaskKind::kReport && !open.empty());
    if (state == TaskState::kComplete && outdated) state = TaskState::kStale;
    if (state != TaskState::kComplete) open.insert(task.name);
    all.push_back(state);
  }
  return all;
}

}  // namespace nrs::lab
