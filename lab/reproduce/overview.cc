#include "reproduce/overview.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/status_line.h"
#include "reproduce/estimate.h"

namespace nrs {

Progress progress_of(const std::vector<Task>& plan, const std::vector<TaskState>& states) {
  Progress progress{.tasks = plan.size()};
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (states[i] == TaskState::kComplete) {
      ++progress.done;
    } else {
      progress.seconds_left += plan[i].seconds;
    }
  }
  return progress;
}

std::string show(const Progress& progress) {
  const std::string counted = fmt::format("{} of {} done", progress.done, progress.tasks);
  if (progress.done == progress.tasks) return counted;
  return fmt::format("{}; {} to go", counted, show_rough(progress.seconds_left));
}

std::string show_plan(const std::vector<Task>& plan, const std::vector<TaskState>& states) {
  std::size_t width = 4;
  for (const Task& task : plan) width = std::max(width, task.name.size());
  std::string text = fmt::format("{:<{}}  {:<11}  {:>8}\n", "task", width, "state", "takes");
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const bool done = states[i] == TaskState::kComplete;
    std::string line = fmt::format("{:<{}}  {:<11}  {:>8}", plan[i].name, width, name_of(states[i]),
                                   done ? "" : show_duration(plan[i].seconds));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace nrs
