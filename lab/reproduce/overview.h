#pragma once
// A plan as people see it: what is done, what is not, what it will take.
#include <string>
#include <vector>

#include "reproduce/inspector.h"
#include "reproduce/task.h"

namespace nrs {

struct Progress {
  std::size_t done = 0;
  std::size_t tasks = 0;
  double seconds_left = 0;  // expected
};
Progress progress_of(const std::vector<Task>& plan, const std::vector<TaskState>& states);

// "31 of 94 done; about 2 h 10 min to go"
std::string show(const Progress& progress);
// A table of all tasks.
std::string show_plan(const std::vector<Task>& plan, const std::vector<TaskState>& states);

}  // namespace nrs
