#pragma once
// Temporary files, which must be removed if the program ends before they get their final names.
#include <string>

namespace nrs {

// The file is on a list for the lifetime of this object. A signal that ends the program (Ctrl-C, a
// closed pipe, a request to terminate) first removes what is on the list; see process.h.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(std::string path);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Removes all files on the list. Async-signal-safe.
void remove_unfinished_files() noexcept;

}  // namespace nrs
