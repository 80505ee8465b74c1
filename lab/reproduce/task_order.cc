#include "reproduce/task_order.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

namespace nrs {

std::vector<Task> with_needs(const std::vector<Task>& tasks,
                             const std::function<bool(const Task&)>& wanted) {
  std::set<std::string> taken;
  std::vector<std::string> open;
  for (const Task& task : tasks) {
    if (wanted(task)) open.push_back(task.name);
  }
  while (!open.empty()) {
    const std::string name = open.back();
    open.pop_back();
    if (!taken.insert(name).second) continue;
    for (const Task& task : tasks) {
      if (task.name == name) open.insert(open.end(), task.needs.begin(), task.needs.end());
    }
  }
  std::vector<Task> chosen;
  std::copy_if(tasks.begin(), tasks.end(), std::back_inserter(chosen),
               [&](const Task& task) { return taken.contains(task.name); });
  return chosen;
}

std::vector<Task> in_order(std::vector<Task> tasks) {
  std::vector<Task> ordered;
  std::set<std::string> placed;
  while (!tasks.empty()) {
    const auto ready = std::find_if(tasks.begin(), tasks.end(), [&](const Task& task) {
      return std::all_of(task.needs.begin(), task.needs.end(),
                         [&](const std::string& need) { return placed.contains(need); });
    });
    if (ready == tasks.end()) throw std::logic_error("tasks that need each other or none at all");
    placed.insert(ready->name);
    ordered.push_back(std::move(*ready));
    tasks.erase(ready);
  }
  return ordered;
}

}  // namespace nrs
