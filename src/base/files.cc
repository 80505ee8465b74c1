#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "nrs/error.h"

namespace nrs {
namespace fs = std::filesystem;
namespace {

Error io_error(const fs::path& path, std::string_view action, int code) {
  return Error(ErrorKind::kIo,
               fmt::format("{}: cannot {}: {}", path.string(), action, std::strerror(code)));
}

}  // namespace

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)) {
  if (path_.has_parent_path()) {
    std::error_code code;
    fs::create_directories(path_.parent_path(), code);
    if (code) throw io_error(path_.parent_path(), "create the folder", code.value());
  }
  if (fs::is_directory(path_)) throw io_error(path_, "write", EISDIR);
  temporary_ = path_.string() + fmt::format(".{}.tmp", ::getpid());
  file_ = std::fopen(temporary_.c_str(), "wbe");
  if (file_ == nullptr) throw io_error(path_, "write", errno);
}

AtomicFile::~AtomicFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  std::error_code ignored;
  fs::remove(temporary_, ignored);
}

void AtomicFile::fail(const char* action) const {
  throw io_error(path_, action, errno);
}

void AtomicFile::write(std::string_view bytes) {
  if (bytes.empty()) return;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail("write");
}

void AtomicFile::commit() {
  if (std::fflush(file_) != 0 || ::fsync(::fileno(file_)) != 0) fail("write");
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("rename the finished file");
  // The data is safe under its name; closing a synced file cannot lose it.
  std::fclose(std::exchange(file_, nullptr));
}

StandardOutput::~StandardOutput() {
  std::fflush(stdout);
}

void StandardOutput::write(std::string_view bytes) {
  if (bytes.empty()) return;
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size()) {
    throw io_error("standard output", "write", errno);
  }
}

void StandardOutput::flush() {
  if (std::fflush(stdout) != 0) throw io_error("standard output", "write", errno);
}

std::string read_file(const fs::path& path, std::size_t limit) {
  // Non-blocking, so that a FIFO without a writer does not hang us before we can refuse it.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) throw io_error(path, "read", errno);
  std::FILE* file = ::fdopen(descriptor, "rb");
  struct Close {
    std::FILE* file;
    ~Close() { std::fclose(file); }
  } close{file};
  struct stat info {};
  if (::fstat(descriptor, &info) != 0) throw io_error(path, "read", errno);
  if (!S_ISREG(info.st_mode))
    throw Error(ErrorKind::kInput, path.string() + ": not a regular file");
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size > limit) {
    throw Error(ErrorKind::kInput,
                fmt::format("{}: {} bytes, more than the {} allowed", path.string(), size, limit));
  }
  std::string content(size, '\0');
  if (std::fread(content.data(), 1, size, file) != size) throw io_error(path, "read", errno);
  return content;
}

}  // namespace nrs
