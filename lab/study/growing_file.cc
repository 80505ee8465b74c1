#include "study/growing_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <utility>

#include "base/output_target.h"
#include "nrs/error.h"

namespace nrs::lab {

GrowingFile::GrowingFile(std::filesystem::path path) : path_(std::move(path)) {
  check_not_read_only(path_);
  make_folders(path_.parent_path());
  file_ = Descriptor(::open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666));
  if (file_.number() < 0) fail();
  if (::flock(file_.number(), LOCK_EX | LOCK_NB) != 0) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: another run is writing this log", path_.string()));
  }
}

void GrowingFile::fail() const {
  throw io_error(path_, "write", errno);
}

void GrowingFile::cut_half_line() const {
  const off_t size = ::lseek(file_.number(), 0, SEEK_END);
  off_t end = size;
  char last = '\0';
  while (end > 0 && ::pread(file_.number(), &last, 1, end - 1) == 1 && last != '\n') --end;
  if (end < size && ::ftruncate(file_.number(), end) != 0) fail();
}

void GrowingFile::write(std::string_view lines) {
  const std::lock_guard lock(mutex_);
  if (!ends_whole_) cut_half_line();
  ends_whole_ = false;  // unless all of it is written
  while (!lines.empty()) {
    const ssize_t written = ::write(file_.number(), lines.data(), lines.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    lines.remove_prefix(static_cast<std::size_t>(written));
  }
  ends_whole_ = true;
}

bool ends_whole(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(-1, std::ios::end);
  return !file || file.get() == '\n';
}

}  // namespace nrs::lab
