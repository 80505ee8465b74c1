#pragma once
// Who works on a task. A lock on one byte of one file, which goes when the program ends, however it
// ends. Where the file system knows no locks, two runners may do the same task: they write the same
// bytes, each under a name of its own first, so that is waste and no harm.
#include <cstddef>
#include <filesystem>

#include "base/descriptor.h"

namespace nrs::bulk {

class TaskLocks {
 public:
  // Makes the file if it is not there and may be made. Throws Error (I/O).
  explicit TaskLocks(const std::filesystem::path& file);
  // Whether somebody works on the task.
  bool taken(std::size_t task) const;

 private:
  Descriptor file_;
};

class TaskLock {
 public:
  // Throws Error (I/O). A program that is started meanwhile has the lock, too: a training that has
  // outlived whoever started it is still at work.
  TaskLock(const std::filesystem::path& file, std::size_t task);
  ~TaskLock();
  TaskLock(const TaskLock&) = delete;
  TaskLock& operator=(const TaskLock&) = delete;

  // False if somebody else has it.
  bool held() const { return held_; }

 private:
  Descriptor file_;
  std::size_t task_;
  bool held_;
};

}  // namespace nrs::bulk
