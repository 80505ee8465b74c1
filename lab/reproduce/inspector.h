#pragma once
// Which tasks are done: told from the files themselves, not from a journal, so that files may come
// and go between two runs.
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "reproduce/plan.h"

namespace nrs::lab {

enum class TaskState {
  kComplete,
  kOutstanding,
  kStale,  // its file is there, but was made of another model, recipe or command
};
constexpr auto enum_names(TaskState) {
  return std::to_array<EnumName<TaskState>>({
      {TaskState::kComplete, "done"},
      {TaskState::kOutstanding, "outstanding"},
      {TaskState::kStale, "stale"},
  });
}

class Inspector {
 public:
  // Of the files as they are now, whatever becomes of the tasks that it needs. Throws Error (usage)
  // if it would replace a model that is none of ours.
  TaskState state(const Task& task);
  // What the whole plan comes to: what needs something that is not done is not done either.
  std::vector<TaskState> states(const std::vector<Task>& plan);

  // What a model is made of; written beside it before it is made (model_record_path).
  nlohmann::ordered_json model_record(const Task& task);

 private:
  TaskState state_of_model(const Task& task);
  TaskState state_of_result(const Task& task);
  static TaskState state_of_ablation(const Task& task);
  // Nothing if there is no such model.
  std::optional<std::string> checksum(const std::filesystem::path& model);

  struct Known {
    std::filesystem::file_time_type written;
    std::string checksum;
  };
  std::map<std::filesystem::path, Known> known_;
};

std::filesystem::path model_record_path(const std::filesystem::path& model);

}  // namespace nrs::lab
