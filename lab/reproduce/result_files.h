#pragma once
// What becomes of the output of a command: the result file that `nrs report` reads
// (docs/report.md).
#include <string>

#include "reproduce/task.h"

namespace nrs::lab {

// The content of a task's file. `output` is what its command printed, `program` the name and
// version of this one. Throws Error (input) if something that it is made of is not as it should be.
std::string result_content(const Task& task, const std::string& output, const std::string& program);
// The result file that the command of an ablation has written, with the command as one types it.
std::string named_as_typed(const Task& task);

}  // namespace nrs::lab
