#pragma once
// Runs of this very program by itself, measured from outside.
#include <string>
#include <string_view>
#include <vector>

namespace nrs {

// A file without a name, for what a program reads or writes.
class NamelessFile {
 public:
  // Throws Error (I/O).
  explicit NamelessFile(std::string_view content = {});
  ~NamelessFile();
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;

  // Its descriptor, at the beginning of the file.
  int rewind() const;
  std::string content() const;

 private:
  int descriptor_;
};

// One run, from its start to its end.
struct SelfRun {
  double seconds = 0;
  double peak_mb = 0;
  std::string output;
};
// Throws Error (I/O) if the program fails; formulas without a normal form are no failure.
SelfRun run_self(std::vector<std::string> arguments, const NamelessFile& input);

}  // namespace nrs
