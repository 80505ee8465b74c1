#pragma once
// A temporary folder.
#include <filesystem>
#include <string>

namespace nrs {

// A new folder of our own; with all that is in it, it is gone at the end of this object.
class ScratchFolder {
 public:
  // Its name begins with this word. Throws Error (I/O).
  explicit ScratchFolder(const std::string& word);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::filesystem::path path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace nrs
