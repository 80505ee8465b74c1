#include "reproduce/runner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/child.h"
#include "base/files.h"
#include "base/output_target.h"
#include "base/text.h"
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
  if (task.kind == TaskKind::kAblation) {
    return done_if(text_of(result, "study_checksum") == study_checksum(task.source));
  }
  // What `nrs info` prints is the model's own description, and names no command.
  const bool described = task.kind == TaskKind::kModel;
  if (!described && !same_command(text_of(result, "command"), task.shown)) {
    return TaskState::kStale;
  }
  if (task.models.empty()) return TaskState::kComplete;
  const std::optional<std::string> sum = checksum(task.models.front());
  return done_if(sum && text_of(result, described ? "checksum" : "model_checksum") == *sum);
}

TaskState Inspector::state(const Task& task) {
  if (task.kind == TaskKind::kTrain) return state_of_model(task);
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

namespace {

// Exit codes of nrs that are no failure: done, and done with formulas that have no normal form.
constexpr int kDone = 0;
constexpr int kNotNormal = 4;
constexpr std::size_t kLongestReason = 500;
constexpr std::size_t kLargestRecord = std::size_t{1} << 20;

// The command writes the file, and what it prints is for people.
bool writes_file(const Task& task) {
  return task.kind == TaskKind::kTrain || task.kind == TaskKind::kAblation ||
         (task.kind == TaskKind::kReport && !task.command.empty());
}

class TaskRunner {
 public:
  TaskRunner(const RunSettings& settings, const RunWatch& watch)
      : settings_(settings), watch_(watch) {}

  RunSummary run(const std::vector<Task>& plan) {
    for (const Task& task : plan) {
      summary_.interrupted = stop() != 0;
      if (summary_.interrupted) break;
      const std::optional<TaskEnd> end = attempt(task);
      if (summary_.interrupted) break;
      if (!end) continue;
      ++(end->done ? summary_.done : summary_.failed);
      if (!end->done) failed_.insert(task.name);
      if (watch_.on_end) watch_.on_end(task, *end);
    }
    return summary_;
  }

 private:
  int stop() const { return watch_.stop ? watch_.stop() : 0; }

  // Nothing if it was done before. Nothing that is wrong with one task ends the others.
  std::optional<TaskEnd> attempt(const Task& task) {
    try {
      for (const std::string& need : task.needs) {
        if (failed_.contains(need)) return TaskEnd{.reason = need + " is not done"};
      }
      if (inspector_.state(task) == TaskState::kComplete) return std::nullopt;
      if (watch_.on_begin) watch_.on_begin(task);
      return make(task);
    } catch (const Error& error) {
      return TaskEnd{.reason = error.line()};
    } catch (const std::exception& error) {
      return TaskEnd{.reason = error.what()};
    }
  }

  TaskEnd make(const Task& task) {
    if (task.kind == TaskKind::kTrain) prepare_model(task);
    ChildEnd child;
    if (!task.command.empty()) {
      child = run_command(task);
      if (child.code != kDone && child.code != kNotNormal) {
        summary_.interrupted = stop() != 0;
        return {.seconds = child.seconds, .reason = why(task, child)};
      }
    }
    if (writes_file(task) && !fs::exists(task.file)) {
      return {.seconds = child.seconds, .reason = task.file.string() + " was not written"};
    }
    if (!writes_file(task) || task.kind == TaskKind::kAblation) {
      write_file(task.file, result_content(task, child.output, settings_.version));
    }
    return {.done = true, .seconds = child.seconds};
  }

  // From now on what lies there was made for this task. What was made for another goes first, a
  // model or half of one: with the new record beside it, it would be taken for the new one.
  void prepare_model(const Task& task) {
    const std::string record = inspector_.model_record(task).dump(1) + "\n";
    const fs::path beside = model_record_path(task.file);
    if (fs::exists(beside) && read_file(beside, kLargestRecord) != record) {
      const fs::path checkpoint = model::checkpoint_path(task.file);
      for (const fs::path& old : {task.file, checkpoint, model::earlier_checkpoint(checkpoint)}) {
        fs::remove(old);
      }
    }
    write_file(beside, record);
  }

  ChildEnd run_command(const Task& task) const {
    ChildRequest request{.program = settings_.program, .words = {"nrs"}};
    std::vector<std::string>& words = request.words;
    words.insert(words.end(), task.command.begin(), task.command.end());
    if (settings_.threads > 0 && takes_threads(task)) {
      words.insert(words.end(), {"--threads", std::to_string(settings_.threads)});
    }
    if (task.command.front() == "train") {
      if (model::can_resume(task.file)) words.emplace_back("--resume");
      if (!settings_.chatty) words.emplace_back("--quiet");
    }
    // Results name the model, and not where it lies.
    if (!task.models.empty()) {
      const fs::path folder = fs::absolute(task.models.front()).parent_path();
      request.environment = {{"NRS_MODELS", folder.string()}};
    }
    request.keep_errors = !(settings_.chatty && shows_progress(task));
    const auto wait = [&](double seconds) {
      if (watch_.on_wait) watch_.on_wait(task, seconds);
    };
    return run_child(request, {.stop = watch_.stop, .on_wait = wait});
  }

  static bool takes_threads(const Task& task) {
    constexpr std::string_view kThreaded[] = {"ablate", "train", "eval", "confidence", "dataset"};
    return std::ranges::find(kThreaded, task.command.front()) != std::end(kThreaded);
  }

  static std::string why(const Task& task, const ChildEnd& child) {
    const std::string said = excerpt(last_complaint(child.errors), kLongestReason);
    if (!said.empty()) return said;
    return fmt::format("nrs {} ended with {}", task.command.front(), child.code);
  }

  const RunSettings& settings_;
  const RunWatch& watch_;
  Inspector inspector_;
  std::set<std::string> failed_;
  RunSummary summary_;
};

}  // namespace

bool shows_progress(const Task& task) {
  return !task.command.empty() &&
         (task.command.front() == "train" || task.command.front() == "ablate");
}

RunSummary run_tasks(const std::vector<Task>& plan, const RunSettings& settings,
                     const RunWatch& watch) {
  return TaskRunner(settings, watch).run(plan);
}

Descriptor lock_folder(const fs::path& folder, bool shared) {
  make_output_folder(folder);
  const fs::path path = folder / ".lock";
  // Children inherit the descriptor, and with it the lock.
  Descriptor lock(::open(path.c_str(), O_RDWR | O_CREAT, 0644));
  if (lock.number() < 0) throw io_error(path, "write", errno);
  if (::flock(lock.number(), (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0) {
    throw Error(ErrorKind::kUsage, folder.string() + ": another reproduction is running there",
                "wait until it has finished, or choose another folder");
  }
  return lock;
}

}  // namespace nrs::lab
