#pragma once
// Files that only grow, one whole line at a time. If the program is killed, at most the line that
// is being written is lost.
#include <filesystem>
#include <mutex>
#include <string_view>

#include "base/descriptor.h"

namespace nrs::lab {

// One program at a time writes such a file, from any number of threads.
class GrowingFile {
 public:
  // Creates the file and the folders above it if they are missing. Throws Error: usage if another
  // run is writing it; I/O if it cannot be written or is read-only. The first write() removes an
  // incomplete line at the end. Until then the file is not changed, because it may turn out to be
  // the wrong one.
  explicit GrowingFile(std::filesystem::path path);

  // Writes whole lines. When it returns, the system has them. Throws Error (I/O).
  void write(std::string_view lines);

 private:
  [[noreturn]] void fail() const;
  void cut_half_line() const;

  std::filesystem::path path_;
  Descriptor file_;
  bool ends_whole_ = false;  // known since the first write
  std::mutex mutex_;
};

// Whether the last line of a file is complete.
bool ends_whole(const std::filesystem::path& path);

}  // namespace nrs::lab
