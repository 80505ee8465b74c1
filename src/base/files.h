#pragma once
// Files that are either old or new, never half: everything nrs writes goes through here.
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace nrs {

// A file that appears under its name only when commit() has succeeded. Until then, and if anything
// goes wrong, there is only a temporary file beside it, which the destructor removes.
class AtomicFile {
 public:
  // Creates missing parent folders. Throws Error (I/O).
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  // Flushes to the disk and renames. Throws Error (I/O); then the old file, if any, is still there.
  void commit();

 private:
  [[noreturn]] void fail(const char* action) const;

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::FILE* file_ = nullptr;
};

// Standard output with errors noticed: a full disk or a closed pipe must not pass for success.
class StandardOutput {
 public:
  ~StandardOutput();
  void write(std::string_view bytes);
  // Throws Error (I/O) if anything since the last flush was not written.
  void flush();
};

// The whole content of a regular file of at most `limit` bytes. Throws Error: I/O if it cannot be
// read, input if it is too large or not a regular file.
std::string read_file(const std::filesystem::path& path, std::size_t limit);

}  // namespace nrs
