#pragma once
// Marks a task as being worked on: a lock on one byte of a file, which the system releases when the
// program ends in any way. On a file system without locks, two runners may do the same task. This
// only wastes time: they write the same bytes, each under a name of its own first.
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
