#pragma once
// Where output goes that is meant for a path, so that nothing is destroyed on the way: a link stays
// a link, a device stays a device, and what is read-only is not written.
#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>

#include "nrs/error.h"

namespace nrs {

struct OutputTarget {
  // Of a file that is there.
  struct Old {
    mode_t mode;
    uid_t owner;
    gid_t group;
  };
  std::filesystem::path path;  // behind all links
  bool stream = false;         // a device, a FIFO or an open descriptor: bytes go straight there
  std::optional<Old> old{};
};

// Throws Error (I/O) if it cannot be written: a folder, a disk, a file that is read-only, also to
// root, who could write it all the same.
OutputTarget find_target(const std::filesystem::path& path);
// The same refusal alone, for files that are written in place. What is not there is fine.
void check_not_read_only(const std::filesystem::path& path);

// Makes the folder and those above it that are missing. Throws Error (I/O).
void make_folders(const std::filesystem::path& folder);
// Makes a folder that is itself what was asked for: it and those in it are the output, and only
// missing ones above it are told. Throws Error (I/O).
void make_output_folder(const std::filesystem::path& folder);
// Who is told of folders that are made; nobody at first. The library never prints. What is made in
// a folder that was told of is not told.
using FolderTeller = std::function<void(const std::filesystem::path& folder)>;
void tell_of_folders(FolderTeller teller);

// "x.csv: cannot write: No space left on device"
Error io_error(const std::filesystem::path& path, std::string_view action, int code);

}  // namespace nrs
