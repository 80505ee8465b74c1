#pragma once
// A status line on a terminal, updated in place.
#include <cstdio>
#include <string>

namespace nrs {

// "1:05:09", "5:09"
std::string show_duration(double seconds);

// If the stream is not a terminal, only notes are written.
class StatusLine {
 public:
  StatusLine(std::FILE* stream, bool terminal) : stream_(stream), terminal_(terminal) {}
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  // Whether show() would be seen now: often enough to look alive, rarely enough to cost nothing.
  bool due() const;
  // Replaces what was shown before.
  void show(const std::string& text);
  // A line that stays.
  void note(const std::string& text);
  void clear();

 private:
  std::FILE* stream_;
  bool terminal_;
  std::size_t width_ = 0;  // of the text that is shown now
  double shown_at_ = 0;
};

}  // namespace nrs
