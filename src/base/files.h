#pragma once
// Files that are either old or new, never half-written. Every file that nrs writes as a whole goes
// through here.
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/output_target.h"
#include "base/process.h"

namespace nrs {

// A file that appears under its name only when commit() has succeeded. Until then, and if anything
// goes wrong, there is only a temporary file beside it, NAME.PID.tmp. The destructor removes it,
// and so does a signal that ends the program. If the program was killed, the next one that writes
// NAME removes it.
//
// A link stays, and what it points to is replaced. The new file has the mode of the old one, and
// its owner if the system allows that. A device or a FIFO gets the bytes directly.
class AtomicFile {
 public:
  // Makes missing parent folders. Throws Error (I/O), also if the file is read-only.
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  // Flushes to the disk and renames. Throws Error (I/O); then the old file, if any, is still there.
  void commit();

 private:
  int open_temporary();
  void be_like_old(int descriptor) const;
  [[noreturn]] void fail(const char* action) const;

  std::filesystem::path path_;  // as it was given
  OutputTarget target_;
  std::optional<UnfinishedFile> temporary_;  // not for a stream
  std::FILE* file_ = nullptr;
};

// A whole file at once. Throws Error (I/O).
void write_file(const std::filesystem::path& path, std::string_view bytes);

// Standard output that notices errors: a full disk or a closed pipe must not look like success.
class StandardOutput {
 public:
  ~StandardOutput();
  void write(std::string_view bytes);
  // Throws Error (I/O) if anything since the last flush was not written.
  void flush();
};

// All of it at once, to standard output. Throws Error (I/O).
void print(std::string_view text);

// The whole content of a regular file of at most `limit` bytes. Throws Error: I/O if it cannot be
// read, input if it is too large or not a regular file.
std::string read_file(const std::filesystem::path& path, std::size_t limit);

// The same of anything that can be read to its end: also a pipe, and "-" is standard input.
std::string read_input(const std::filesystem::path& path, std::size_t limit);

}  // namespace nrs
