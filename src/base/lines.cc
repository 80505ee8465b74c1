#include "base/lines.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <string_view>

#include "base/text.h"
#include "nrs/error.h"

namespace nrs {
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 16;
constexpr std::size_t kBeginning = 200;  // what is kept of a line without memory

}  // namespace

LineReader::CloseFile::~CloseFile() {
  if (owned) ::close(descriptor);
}

LineReader::LineReader(const std::filesystem::path& path, std::size_t limit)
    : path_(path), limit_(limit), buffer_(kBufferSize) {
  const bool standard_input = path == "-";
  const int descriptor = standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    throw Error(ErrorKind::kIo, fmt::format("{}: {}", path.string(), std::strerror(errno)));
  }
  file_.reset(new CloseFile{!standard_input, descriptor});
}

bool LineReader::fill() {
  ssize_t count = 0;
  do {
    count = ::read(file_->descriptor, buffer_.data(), buffer_.size());
  } while (count < 0 && errno == EINTR);
  if (count < 0) {
    throw Error(ErrorKind::kIo, fmt::format("{}: {}", path_.string(), std::strerror(errno)));
  }
  begin_ = 0;
  end_ = static_cast<std::size_t>(count);
  return count > 0;
}

// What is at hand of the current line; `ended` if that reaches its end.
std::string_view LineReader::take_part(bool& ended) {
  const char* from = buffer_.data() + begin_;
  const char* newline = static_cast<const char*>(std::memchr(from, '\n', end_ - begin_));
  ended = newline != nullptr;
  const std::size_t size = ended ? static_cast<std::size_t>(newline - from) : end_ - begin_;
  begin_ += size + (ended ? 1 : 0);
  return {from, size};
}

// One character more than allowed may stay: it can still turn out to be the "\r" of "\r\n".
void LineReader::keep(std::string_view part, std::string& line) {
  if (no_memory_) return;
  try {
    line.append(part.substr(0, limit_ + 1 - std::min(limit_ + 1, line.size())));
  } catch (const std::bad_alloc&) {
    line = line.substr(0, kBeginning);  // the memory of the rest is free again
    too_long_ = no_memory_ = true;
  }
}

bool LineReader::next(std::string& line) {
  line.clear();
  too_long_ = no_memory_ = false;
  if (begin_ == end_ && !fill()) return false;
  ++number_;
  bool ended = false;
  do {
    const std::string_view part = take_part(ended);
    keep(part, line);
    too_long_ = too_long_ || part.size() > limit_ + 1 || line.size() > limit_;
  } while (!ended && fill());
  if (too_long_ && line.size() == limit_ + 1 && line.back() == '\r' && ended) too_long_ = false;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (number_ == 1 && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
  return true;
}

void for_each_line(const std::filesystem::path& path, std::size_t limit,
                   const std::function<void(const std::string& line)>& take) {
  LineReader lines(path, limit);
  std::string line;
  while (lines.next(line)) {
    if (line.empty()) continue;
    try {
      if (lines.too_long()) throw Error(ErrorKind::kInput, "the line is too long");
      take(line);
    } catch (const Error& error) {
      throw error.in(fmt::format("{}:{}", path.string(), lines.number()));
    }
  }
}

}  // namespace nrs
