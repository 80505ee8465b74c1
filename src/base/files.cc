#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "nrs/error.h"

namespace nrs {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kTemporaryEnd = ".tmp";
constexpr std::size_t kLongestStem = 200;  // of at most 255 characters of a file name

// What the names of all temporary files for a target begin with.
std::string temporary_stem(const fs::path& target) {
  return target.filename().string().substr(0, kLongestStem) + ".";
}

bool is_temporary(std::string_view name, std::string_view stem) {
  if (!name.starts_with(stem) || !name.ends_with(kTemporaryEnd)) return false;
  name.remove_prefix(stem.size());
  if (name.size() <= kTemporaryEnd.size()) return false;
  name.remove_suffix(kTemporaryEnd.size());
  return name.find_first_not_of("0123456789-") == std::string_view::npos;
}

// Whoever writes a temporary file has it locked, and the system unlocks it when the program ends,
// however it ends. So this neither believes a process number that another program has by now, nor
// misses a writer in another container.
void remove_if_stale(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return;
  struct stat locked {
  }, named{};
  const bool stale = ::fstat(descriptor, &locked) == 0 && S_ISREG(locked.st_mode) &&
                     ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 &&
                     ::lstat(path.c_str(), &named) == 0 && named.st_ino == locked.st_ino;
  if (stale) ::unlink(path.c_str());
  ::close(descriptor);
}

void remove_stale(const fs::path& target) {
  const fs::path folder = target.has_parent_path() ? target.parent_path() : ".";
  const std::string stem = temporary_stem(target);
  std::vector<fs::path> found;
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
    if (is_temporary(entry.path().filename().string(), stem)) found.push_back(entry.path());
  }
  for (const fs::path& path : found) remove_if_stale(path);
}

// False if someone took it for a stale one in the moment before it was locked. A system that cannot
// lock does not let anyone else lock it either.
bool lock_new(int descriptor) {
  struct stat info {};
  const bool taken = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  return !taken && ::fstat(descriptor, &info) == 0 && info.st_nlink > 0;
}

}  // namespace

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)), target_(find_target(path_)) {
  int descriptor = -1;
  if (target_.stream) {
    descriptor = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
  } else {
    make_folders(target_.path.parent_path());
    remove_stale(target_.path);
    descriptor = open_temporary();
  }
  if (descriptor < 0) throw io_error(path_, "write", errno);
  file_ = ::fdopen(descriptor, "wb");
}

// The file is never open to more people than the old one.
int AtomicFile::open_temporary() {
  const fs::path folder = target_.path.parent_path();
  for (int number = 0;; ++number) {
    const std::string end = number == 0 ? "" : fmt::format("-{}", number);
    const fs::path path = folder / fmt::format("{}{}{}{}", temporary_stem(target_.path), ::getpid(),
                                               end, kTemporaryEnd);
    const mode_t mode = target_.old ? target_.old->mode : 0666;
    const int descriptor = temporary_.emplace(path.string(), mode).descriptor();
    if (descriptor < 0 && errno == EEXIST) continue;
    if (descriptor < 0) return descriptor;
    if (lock_new(descriptor)) {
      be_like_old(descriptor);
      return descriptor;
    }
    ::close(descriptor);
  }
}

// Where the group cannot be kept, it must not matter to whom the new one gives rights.
void AtomicFile::be_like_old(int descriptor) const {
  if (!target_.old) return;
  const OutputTarget::Old& old = *target_.old;
  mode_t mode = old.mode;
  if (::fchown(descriptor, old.owner, old.group) != 0 &&
      ::fchown(descriptor, static_cast<uid_t>(-1), old.group) != 0) {
    mode = (mode & ~mode_t{S_IRWXG}) | ((mode & S_IRWXO) << 3 & mode);
  }
  [[maybe_unused]] const int ignored = ::fchmod(descriptor, mode);  // not all systems have modes
}

AtomicFile::~AtomicFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  if (temporary_) ::unlink(temporary_->path().c_str());
}

void AtomicFile::fail(const char* action) const {
  throw io_error(path_, action, errno);
}

void AtomicFile::write(std::string_view bytes) {
  if (bytes.empty()) return;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail("write");
}

void AtomicFile::commit() {
  if (std::fflush(file_) != 0) fail("write");
  if (temporary_) {
    if (::fsync(::fileno(file_)) != 0) fail("write");
    if (::rename(temporary_->path().c_str(), target_.path.c_str()) != 0) {
      fail("rename the finished file");
    }
    temporary_.reset();
  }
  // The data is safe under its name; closing a synced file cannot lose it.
  std::fclose(std::exchange(file_, nullptr));
}

void write_file(const fs::path& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
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

void print(std::string_view text) {
  StandardOutput output;
  output.write(text);
  output.flush();
}

std::string read_input(const fs::path& path, std::size_t limit) {
  if (path != "-" && fs::is_regular_file(path)) return read_file(path, limit);
  const Descriptor input(path == "-" ? ::dup(STDIN_FILENO)
                                     : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (input.number() < 0) throw io_error(path, "read", errno);
  std::string content;
  while (true) {
    constexpr std::size_t kPart = std::size_t{1} << 16;
    const std::size_t size = content.size();
    content.resize(size + kPart);
    const ssize_t count = ::read(input.number(), content.data() + size, kPart);
    if (count < 0 && errno != EINTR) throw io_error(path, "read", errno);
    content.resize(size + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count == 0) return content;
    if (content.size() > limit) {
      throw Error(ErrorKind::kInput,
                  fmt::format("{}: more than the {} bytes allowed", path.string(), limit));
    }
  }
}

std::string read_file(const fs::path& path, std::size_t limit) {
  // Non-blocking, so that a FIFO without a writer does not hang us before we can refuse it.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) throw io_error(path, "read", errno);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(::fdopen(descriptor, "rb"),
                                                             std::fclose);
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
  if (std::fread(content.data(), 1, size, file.get()) != size) throw io_error(path, "read", errno);
  return content;
}

}  // namespace nrs
