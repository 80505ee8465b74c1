#pragma once
// Files that only grow, one whole line at a time. If the program is killed, at most the line that
// is being written is lost.
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>

namespace nrs {

// One program at a time writes such a file, from any number of threads.
class GrowingFile {
 public:
  enum class Start { kNew, kOld, kEither };

  // `kind` names the file in messages: "record". Creates missing parent folders. Throws Error:
  // usage if the file should be new but exists, or if another run is writing it; I/O if it cannot
  // be written or is read-only. The first write() removes an incomplete line at the end. Until then
  // the file is not changed, because it may turn out to be the wrong one.
  GrowingFile(std::filesystem::path path, const std::string& kind, Start start);
  ~GrowingFile();
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  bool empty() const;
  // Writes whole lines. When it returns, the system has them. Throws Error (I/O).
  void write(std::string_view lines);

 private:
  [[noreturn]] void fail(const char* action) const;
  void cut_half_line() const;
  void append(std::string_view lines) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  bool ends_whole_ = false;  // known since the first write
  std::mutex mutex_;
};

// Whether the last line of a file is complete.
bool ends_whole(const std::filesystem::path& path);

}  // namespace nrs
