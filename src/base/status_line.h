#pragma once
// How long something has taken, and a status line on a terminal that is updated in place.
#include <chrono>
#include <cstdio>
#include <string>

namespace nrs {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

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
  std::size_t width_ = 0;                             // of the text that is shown now
  std::chrono::steady_clock::time_point shown_at_{};  // long ago
};

}  // namespace nrs
