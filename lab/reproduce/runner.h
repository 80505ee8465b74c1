#pragma once
// Runs what is outstanding of a plan, one task after the other. Every task is a run of nrs of its
// own: what one of them does wrong is no harm to the others, and whatever happens the files under
// their names are whole.
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/child.h"
#include "reproduce/inspector.h"
#include "reproduce/task.h"

namespace nrs::lab {

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

// A folder that one reproduction at a time may work in; also a child that has outlived its parent
// keeps it. Throws Error: (usage) if it is taken, (I/O).
class FolderLock {
 public:
  // Several may share it: each makes something else, and no whole reproduction runs meanwhile.
  enum class Use { kAlone, kShared };
  explicit FolderLock(const std::filesystem::path& folder, Use use = Use::kAlone);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace nrs::lab
