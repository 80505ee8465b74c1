#pragma once
// Reads lines of any stream in bounded memory, and cuts those of comma-separated values.
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"

namespace nrs {

// One line after the other, without its line end ("\n" or "\r\n"); a last line without one counts.
// A UTF-8 byte order mark at the start is skipped. Lines longer than the limit, or than there is
// memory for, are read to their end but not kept.
class LineReader {
 public:
  // `path` "-" is standard input. Throws Error (I/O) if it cannot be opened.
  LineReader(const std::filesystem::path& path, std::size_t limit);

  // False at the end. Throws Error (I/O) if reading fails.
  bool next(std::string& line);
  // The line just read was longer than the limit; what was given is its beginning.
  bool too_long() const { return too_long_; }
  // It is too long only because there was no memory for the rest of it.
  bool no_memory() const { return no_memory_; }
  // Number of the line just read, from 1.
  std::size_t number() const { return number_; }
  // Whether more input has already arrived, so that next() will not wait for a person to type.
  bool more_at_hand() const { return begin_ < end_; }

 private:
  bool fill();
  std::string_view take_part(bool& ended);
  void keep(std::string_view part, std::string& line);

  std::filesystem::path path_;
  Descriptor file_;
  std::size_t limit_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t number_ = 0;
  bool too_long_ = false;
  bool no_memory_ = false;
};

// The fields of a line. A field may be quoted ("a,b"; a quote inside is doubled), but must end on
// the line. Throws Error (input) without a place.
void split_csv_line(std::string_view line, char delimiter, std::vector<std::string>& fields);

// Appends a field, quoted if it must be.
void append_csv_field(std::string& line, std::string_view field, char delimiter = ',');

// Calls `take` with each line that is not empty. What it throws gets the file and the line. Throws
// Error (input) for a line that is longer than the limit, (I/O) if the file cannot be read.
void for_each_line(const std::filesystem::path& path, std::size_t limit,
                   const std::function<void(const std::string& line)>& take);

}  // namespace nrs
