#pragma once
// Runs what is outstanding of a plan, one task after the other. Every task is a run of nrs of its
// own: what one of them does wrong is no harm to the others, and whatever happens the files under
// their names are whole.
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "reproduce/plan.h"

namespace nrs::lab {

// Which tasks are done: told from the files themselves, not from a journal, so that files may come
// and go between two runs.
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
  // Nothing if there is no such model.
  std::optional<std::string> checksum(const std::filesystem::path& model);

  struct Known {
    std::filesystem::file_time_type written;
    std::string checksum;
  };
  std::map<std::filesystem::path, Known> known_;
};

std::filesystem::path model_record_path(const std::filesystem::path& model);

struct RunSettings {
  std::filesystem::path program{};  // nrs
  std::string version{};            // "nrs 0.1.0", for the results
  int threads = 0;                  // for each task; 0: as many as it likes
  bool chatty = false;              // trainings may show their own progress on standard error
};

// How a task ended.
struct TaskEnd {
  bool done = false;
  double seconds = 0;
  std::string reason{};  // why it is not done, in a line
};

// All may be empty.
struct RunWatch {
  std::function<int()> stop{};  // a signal that asks for the end; the running task gets it
  std::function<void(const Task&)> on_begin{};
  std::function<void(const Task&, double seconds)> on_wait{};
  std::function<void(const Task&, const TaskEnd&)> on_end{};
};

struct RunSummary {
  int done = 0;    // in this run
  int failed = 0;  // or not begun, because something that it needs has failed
  bool interrupted = false;
};

// Whether its command takes minutes to hours, and tells by itself how far it is.
bool shows_progress(const Task& task);

// The tasks in the order given. Throws Error if nothing can be run at all.
RunSummary run_tasks(const std::vector<Task>& plan, const RunSettings& settings,
                     const RunWatch& watch);

// Keeps others out of the folder of a reproduction for as long as it lives; a child that has
// outlived its parent keeps it, too. Several may share it: each makes something else, and no whole
// reproduction runs meanwhile. Throws Error: (usage) if it is taken, (I/O).
Descriptor lock_folder(const std::filesystem::path& folder, bool shared = false);

// What becomes of the output of a command: the content of a task's file, as `nrs report` reads it
// (docs/report.md). `output` is what the command printed, `program` the name and version of this
// one. Throws Error (input) if something that it is made of is not as it should be.
std::string result_content(const Task& task, const std::string& output, const std::string& program);

}  // namespace nrs::lab
