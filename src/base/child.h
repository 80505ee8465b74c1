#pragma once
// Another program, run to its end: what it printed, how it ended, what it took.
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/nameless_file.h"

namespace nrs {

// This very program, to be run by itself.
inline constexpr const char* kThisProgram = "/proc/self/exe";

struct ChildRequest {
  std::filesystem::path program;
  std::vector<std::string> words;       // its command line; the first is the name that it sees
  const NamelessFile* input = nullptr;  // nullptr: there is nothing to read
  std::vector<std::pair<std::string, std::string>> environment = {};  // added to ours
  bool keep_errors = false;  // standard error is collected; else it goes where ours goes
};

struct ChildEnd {
  int code = 0;  // of exit; 128 + the number of the signal that ended it
  std::string output{};
  std::string errors{};
  double seconds = 0;
  double peak_mb = 0;
};

// Both are asked many times a second. A child that is watched is in a process group of its own, so
// that Ctrl-C reaches it through stop() only: once, and not a second time from the terminal. If this
// program dies, it gets a SIGTERM.
struct ChildWatch {
  std::function<int()> stop{};  // the number of a signal to send it, once; 0: go on
  std::function<void(double seconds)> on_wait{};
};

// Throws Error (I/O) if the program cannot be started. However it ends is for the caller to judge.
ChildEnd run_child(const ChildRequest& request, const ChildWatch& watch = {});

}  // namespace nrs
