#pragma once
// Files that only grow, a whole line at a time: whoever kills the program loses at most the line
// that is being written.
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
  // usage if the file should be new but is there, or if another run is writing it; I/O if it cannot
  // be written or is read-only. A half line at the end is cut off by the first write(): until then the file is as
  // it was, for it may turn out to be another one than was meant.
  GrowingFile(std::filesystem::path path, const std::string& kind, Start start);
  ~GrowingFile();
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  bool empty() const;
  // Whole lines. When it returns they have left the program. Throws Error (I/O).
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

// Whether the last line of a file was written to its end.
bool ends_whole(const std::filesystem::path& path);

}  // namespace nrs
