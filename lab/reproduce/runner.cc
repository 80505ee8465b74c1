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
#include "model/training_files.h"
#include "nrs/error.h"
#include "reproduce/inspector.h"

namespace nrs::lab {
namespace {

namespace fs = std::filesystem;

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
    if (!writes_file(task)) {
      write_file(task.file, result_content(task, child.output, settings_.version));
    } else if (!fs::exists(task.file)) {
      return {.seconds = child.seconds, .reason = task.file.string() + " was not written"};
    } else if (task.kind == TaskKind::kAblation) {
      write_file(task.file, named_as_typed(task));
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
