#include "base/output_target.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

namespace nrs {
namespace fs = std::filesystem;
namespace {

constexpr int kMostLinks = 40;  // as many as the system follows
constexpr mode_t kAnyoneWrites = S_IWUSR | S_IWGRP | S_IWOTH;

void check_not_read_only(const fs::path& path, const struct stat& info) {
  if ((info.st_mode & kAnyoneWrites) == 0) {
    throw Error(ErrorKind::kIo, path.string() + ": cannot write: the file is read-only",
                "chmod u+w makes it writable; or choose another file");
  }
  if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) {
    throw io_error(path, "write", errno);
  }
}

// The links in /proc stand for descriptors that are open, as /dev/stdout does in the end: whoever
// opened them wants the bytes there, and not in a new file of that name.
bool is_descriptor(const fs::path& link) {
  struct statfs system {};
  return ::statfs(link.parent_path().c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

// Goes along the links of `target.path`, also if there is nothing at their end.
void follow_links(OutputTarget& target) {
  for (int links = 0;; ++links) {
    std::error_code code;
    if (!fs::is_symlink(fs::symlink_status(target.path, code))) return;
    if (links == kMostLinks) throw io_error(target.path, "write", ELOOP);
    target.stream = is_descriptor(target.path);
    if (target.stream) return;
    const fs::path next = fs::read_symlink(target.path, code);
    if (code) throw io_error(target.path, "write", code.value());
    target.path = target.path.parent_path() / next;  // an absolute one replaces it all
  }
}

struct FolderNews {
  std::mutex mutex;
  FolderTeller teller;
  std::vector<fs::path> made;  // the topmost of each
};

FolderNews& folder_news() {
  static FolderNews news;
  return news;
}

bool is_within(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

}  // namespace

Error io_error(const fs::path& path, std::string_view action, int code) {
  return Error(ErrorKind::kIo,
               fmt::format("{}: cannot {}: {}", path.string(), action, std::strerror(code)));
}

OutputTarget find_target(const fs::path& path) {
  if (path == "-") {
    throw Error(ErrorKind::kUsage, "this cannot be written to standard output",
                "name a file, or ./- for one of that name");
  }
  if (!path.has_filename()) throw io_error(path, "write", path.empty() ? ENOENT : EISDIR);
  OutputTarget target{.path = path};
  struct stat info {};
  const bool there = ::stat(path.c_str(), &info) == 0;
  if (!there && errno != ENOENT) throw io_error(path, "write", errno);
  if (there && S_ISDIR(info.st_mode)) throw io_error(path, "write", EISDIR);
  if (there && S_ISBLK(info.st_mode)) {
    throw Error(ErrorKind::kIo, path.string() + ": cannot write: this is a disk, not a file");
  }
  target.stream = there && !S_ISREG(info.st_mode);
  if (!target.stream) follow_links(target);
  if (!there || target.stream) return target;
  check_not_read_only(path, info);
  target.old = {.mode = info.st_mode & 0777, .owner = info.st_uid, .group = info.st_gid};
  return target;
}

void check_not_read_only(const fs::path& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0) check_not_read_only(path, info);
}

void make_folders(const fs::path& folder) {
  if (folder.empty()) return;
  fs::path top;
  std::error_code code;
  for (fs::path at = folder; !at.empty() && !fs::exists(at, code); at = at.parent_path()) top = at;
  if (top.empty()) return;
  fs::create_directories(folder, code);
  if (code) throw io_error(folder, "create the folder", code.value());
  FolderNews& news = folder_news();
  const std::lock_guard lock(news.mutex);
  const bool known = std::any_of(news.made.begin(), news.made.end(),
                                 [&](const fs::path& told) { return is_within(folder, told); });
  if (known) return;
  news.made.push_back(top);
  if (news.teller) news.teller(folder);
}

void make_output_folder(const fs::path& folder) {
  // Without a slash at its end, behind which there would be one more name.
  const fs::path path = folder.has_filename() ? folder : folder.parent_path();
  make_folders(path.parent_path());
  std::error_code code;
  fs::create_directory(path, code);
  if (code) throw io_error(path, "create the folder", code.value());
  const std::lock_guard lock(folder_news().mutex);
  folder_news().made.push_back(path);
}

void tell_of_folders(FolderTeller teller) {
  const std::lock_guard lock(folder_news().mutex);
  folder_news().teller = std::move(teller);
}

ScratchFolder::ScratchFolder(const std::string& word)
    : path_((fs::temp_directory_path() / (word + "-XXXXXX")).string()) {
  if (::mkdtemp(path_.data()) == nullptr) {
    throw Error(ErrorKind::kIo, path_ + ": cannot make this folder");
  }
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace nrs
