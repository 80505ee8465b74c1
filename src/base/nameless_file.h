#pragma once
// A temporary file without a name, for the input or output of a program.
#include <cstddef>
#include <string>
#include <string_view>

namespace nrs {

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
  // What is behind the first `offset` bytes now. Does not disturb who is writing the file.
  std::string content_from(std::size_t offset) const;

 private:
  int descriptor_;
};

}  // namespace nrs
