#include "base/growing_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <utility>

#include "base/output_target.h"
#include "nrs/error.h"

namespace nrs {
namespace {

int flags_of(GrowingFile::Start start) {
  switch (start) {
    case GrowingFile::Start::kNew:
      return O_CREAT | O_EXCL;
    case GrowingFile::Start::kEither:
      return O_CREAT;
    default:
      return 0;
  }
}

}  // namespace

GrowingFile::GrowingFile(std::filesystem::path path, const std::string& kind, Start start)
    : path_(std::move(path)) {
  check_not_read_only(path_);
  make_folders(path_.parent_path());
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | flags_of(start), 0666);
  if (descriptor_ < 0 && errno == EEXIST) {
    throw Error(ErrorKind::kUsage, fmt::format("{}: this {} already exists", path_.string(), kind));
  }
  if (descriptor_ < 0) fail("write");
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    ::close(descriptor_);
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: another run is writing this {}", path_.string(), kind));
  }
}

GrowingFile::~GrowingFile() {
  ::close(descriptor_);
}

void GrowingFile::fail(const char* action) const {
  throw io_error(path_, action, errno);
}

void GrowingFile::cut_half_line() const {
  const off_t size = ::lseek(descriptor_, 0, SEEK_END);
  off_t end = size;
  char last = '\0';
  while (end > 0 && ::pread(descriptor_, &last, 1, end - 1) == 1 && last != '\n') --end;
  if (end < size && ::ftruncate(descriptor_, end) != 0) fail("write");
}

bool GrowingFile::empty() const {
  return ::lseek(descriptor_, 0, SEEK_END) == 0;
}

void GrowingFile::write(std::string_view lines) {
  const std::lock_guard lock(mutex_);
  if (!ends_whole_) cut_half_line();
  ends_whole_ = false;  // unless all of it is written
  append(lines);
  ends_whole_ = true;
}

void GrowingFile::append(std::string_view lines) const {
  while (!lines.empty()) {
    const ssize_t written = ::write(descriptor_, lines.data(), lines.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write");
    lines.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool ends_whole(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(-1, std::ios::end);
  return !file || file.get() == '\n';
}

}  // namespace nrs
