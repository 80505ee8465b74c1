#pragma once
// Runs another program to its end: what it printed, how it ended, its time and its memory.
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/descriptor.h"

namespace nrs {

// A temporary file without a name, for the input or output of a program.
class NamelessFile {
 public:
  // Throws Error (I/O).
  explicit NamelessFile(std::string_view content = {});

  // Its descriptor, at the beginning of the file.
  int rewind() const;
  std::string content() const;
  // What is behind the first `offset` bytes now. Does not disturb who is writing the file.
  std::string content_from(std::size_t offset) const;

 private:
  Descriptor file_;
};

// This program, to be run as its own child.
inline constexpr const char* kThisProgram = "/proc/self/exe";

struct ChildRequest {
  std::filesystem::path program;        // without a slash: one that PATH finds
  std::vector<std::string> words;       // its command line; the first is the name that it sees
  const NamelessFile* input = nullptr;  // nullptr: no input
  std::vector<std::pair<std::string, std::string>> environment = {};  // added to ours
  bool keep_errors = false;  // standard error is collected; else it goes where ours goes
  int output = -1;           // a descriptor for its standard output; -1: it is collected
};

struct ChildEnd {
  int code = 0;  // exit code, or 128 + the signal that ended it
  std::string output{};
  std::string errors{};
  double seconds = 0;
  double peak_mb = 0;
};

// All are called many times a second. A child that is watched is in its own process group, so that
// Ctrl-C reaches it only once, through stop(), and not a second time from the terminal. If this
// program dies, the child gets a SIGTERM.
struct ChildWatch {
  std::function<int()> stop{};  // the number of a signal to send it, each once; 0: go on
  std::function<void(double seconds)> on_wait{};
  // With keep_errors: what it has written to standard error since the last call, if anything.
  std::function<void(std::string_view text)> on_errors{};
};

// Throws Error (I/O) if the program cannot be started. How it ended is for the caller to judge.
ChildEnd run_child(const ChildRequest& request, const ChildWatch& watch = {});

}  // namespace nrs
