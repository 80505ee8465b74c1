#include "bulk/task_lock.h"

#include <fcntl.h>

#include <cerrno>

#include "base/output_target.h"

namespace nrs::bulk {
namespace {

struct flock byte_of(std::size_t task, short type) {
  struct flock byte {};
  byte.l_type = type;
  byte.l_whence = SEEK_SET;
  byte.l_start = static_cast<off_t>(task);
  byte.l_len = 1;
  return byte;
}

Descriptor open_locks(const std::filesystem::path& file, int flags) {
  Descriptor opened(::open(file.c_str(), O_RDWR | O_CREAT | flags, 0666));
  if (opened.number() < 0) throw io_error(file, "write", errno);
  return opened;
}

}  // namespace

TaskLocks::TaskLocks(const std::filesystem::path& file) : file_(open_locks(file, O_CLOEXEC)) {}

bool TaskLocks::taken(std::size_t task) const {
  struct flock byte = byte_of(task, F_WRLCK);
  return ::fcntl(file_.number(), F_OFD_GETLK, &byte) == 0 && byte.l_type != F_UNLCK;
}

TaskLock::TaskLock(const std::filesystem::path& file, std::size_t task)
    : file_(open_locks(file, 0)), task_(task) {
  struct flock byte = byte_of(task, F_WRLCK);
  const bool taken =
      ::fcntl(file_.number(), F_OFD_SETLK, &byte) != 0 && (errno == EAGAIN || errno == EACCES);
  held_ = !taken;
}

// By name, for a program that was started for another task may have a copy of the descriptor.
TaskLock::~TaskLock() {
  struct flock byte = byte_of(task_, F_UNLCK);
  if (held_) ::fcntl(file_.number(), F_OFD_SETLK, &byte);
}

}  // namespace nrs::bulk
