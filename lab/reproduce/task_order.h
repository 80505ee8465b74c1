#pragma once
// Tasks among each other: what needs what.
#include <functional>
#include <vector>

#include "reproduce/task.h"

namespace nrs {

// The tasks that are wanted, and all that they need; in the order given.
std::vector<Task> with_needs(const std::vector<Task>& tasks,
                             const std::function<bool(const Task&)>& wanted);
// Each behind those that it needs, otherwise in the order given.
std::vector<Task> in_order(std::vector<Task> tasks);

}  // namespace nrs
