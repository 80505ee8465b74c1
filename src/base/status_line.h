#pragma once
// One line that is always up to date, for the person who waits at a terminal.
#include <cstdio>
#include <string>

namespace nrs {

// "1:05:09", "5:09"
std::string show_duration(double seconds);

// Where the stream is no terminal only notes are written.
class StatusLine {
 public:
  StatusLine(std::FILE* stream, bool terminal) : stream_(stream), terminal_(terminal) {}
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  // Whether show() would be seen now: often enough to look alive, seldom enough to cost nothing.
  bool due() const;
  // Takes the place of what was shown before.
  void show(const std::string& text);
  // A line that stays.
  void note(const std::string& text);
  void clear();

 private:
  std::FILE* stream_;
  bool terminal_;
  std::size_t width_ = 0;  // of what stands in the line now
  double shown_at_ = 0;
};

}  // namespace nrs
