#pragma once
// Files that must not outlive a program that is told to end: temporary ones, until they get their
// names.
#include <string>

namespace nrs {

// The file is on a list as long as this lives. A signal that ends the program (Ctrl-C, a closed
// pipe, a request to terminate) first removes what is on the list; see process.h.
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
