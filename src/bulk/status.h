#pragma once
// The state of the tasks of a plan, as its files show it.
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/fields.h"
#include "bulk/plan.h"

namespace nrs::bulk {

enum class TaskState { kDone, kRunning, kFailed, kMissing };
constexpr auto enum_names(TaskState) {
  return std::to_array<EnumName<TaskState>>({
      {TaskState::kDone, "done"},
      {TaskState::kRunning, "running"},
      {TaskState::kFailed, "failed"},
      {TaskState::kMissing, "missing"},
  });
}

struct Status {
  std::map<TaskState, std::vector<std::size_t>> tasks{};  // ascending
  std::map<std::size_t, std::string> reasons{};           // why tasks have failed
  // Of what is done.
  std::uint64_t answers = 0;
  std::uint64_t bad = 0;
  std::uint64_t stuck = 0;

  // Failed or missing, ascending.
  std::vector<std::size_t> open() const;
};

// Throws Error as read_record() does.
Status status_of(const Plan& plan, const PlanFiles& files);

}  // namespace nrs::bulk
