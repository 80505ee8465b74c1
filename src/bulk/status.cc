#include "bulk/status.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "bulk/record.h"
#include "bulk/task_lock.h"

namespace nrs::bulk {
namespace {

// Tasks with a temporary file: of a runner that is at work, or was killed.
std::set<std::size_t> begun_tasks(const PlanFiles& files) {
  std::set<std::size_t> begun;
  std::error_code code;
  for (const auto& entry : std::filesystem::directory_iterator(files.done(), code)) {
    const std::string name = entry.path().filename().string();
    std::size_t task = 0;
    std::from_chars(name.data(), name.data() + name.size(), task);
    if (name.ends_with(".tmp")) begun.insert(task);
  }
  return begun;
}

}  // namespace

std::vector<std::size_t> Status::open() const {
  std::vector<std::size_t> open;
  for (const TaskState state : {TaskState::kFailed, TaskState::kMissing}) {
    const auto found = tasks.find(state);
    if (found != tasks.end()) open.insert(open.end(), found->second.begin(), found->second.end());
  }
  std::sort(open.begin(), open.end());
  return open;
}

Status status_of(const Plan& plan, const PlanFiles& files) {
  Status status;
  const TaskLocks locks(files.locks());
  const std::set<std::size_t> begun = begun_tasks(files);
  for (std::size_t task = 1; task <= plan.shards.size(); ++task) {
    // In this order, for it may end meanwhile.
    const bool running = locks.taken(task);
    TaskState state = TaskState::kMissing;
    if (const auto record = read_record(files, task)) {
      state = TaskState::kDone;
      status.answers += record->answers;
      status.bad += record->bad;
      status.stuck += record->stuck;
    } else if (running) {
      state = TaskState::kRunning;
    } else if (const auto reason = read_failure(files, task)) {
      state = TaskState::kFailed;
      status.reasons[task] = *reason;
    } else if (begun.contains(task)) {
      state = TaskState::kFailed;
      status.reasons[task] = "the process that ran it was killed";
    }
    status.tasks[state].push_back(task);
  }
  return status;
}

}  // namespace nrs::bulk
