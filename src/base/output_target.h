#pragma once
// Finds out where output to a path goes, so that nothing is destroyed: a link stays a link, a
// device stays a device, and a read-only file is not written.
#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>

#include "nrs/error.h"

namespace nrs {

struct OutputTarget {
  // Of a file that already exists.
  struct Old {
    mode_t mode;
    uid_t owner;
    gid_t group;
  };
  std::filesystem::path path;  // after following all links
  bool stream = false;         // a device, a FIFO or an open descriptor: bytes go straight there
  std::optional<Old> old{};
};

// Throws Error (I/O) if it must not be written: a folder, a disk, or a read-only file (even for
// root, who could write it).
OutputTarget find_target(const std::filesystem::path& path);
// Only the check for read-only, for files that are written in place. A missing file is fine.
void check_not_read_only(const std::filesystem::path& path);

// Makes the folder and those above it that are missing. Throws Error (I/O).
void make_folders(const std::filesystem::path& folder);
// Makes a folder that is itself the output. Only missing folders above it are reported. Throws
// Error (I/O).
void make_output_folder(const std::filesystem::path& folder);
// Sets the function that reports folders that are made. At first there is none: the library never
// prints. Folders inside a reported folder are not reported.
using FolderTeller = std::function<void(const std::filesystem::path& folder)>;
void tell_of_folders(FolderTeller teller);

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

// "x.csv: cannot write: No space left on device"
Error io_error(const std::filesystem::path& path, std::string_view action, int code);

}  // namespace nrs
